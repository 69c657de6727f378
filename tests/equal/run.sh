#!/bin/sh
# The reference, the interpreted kernel and machine code agree: see equal.c.
#
#   tests/equal/run.sh              as `make test` does: every game with every value of every option by the
#                                   kernel, every third of them by the machine code of a compiler that is quick,
#                                   some by that of the real one
#   N=5 tests/equal/run.sh full     N games of 60 turns of every game with every value, by the kernel and by machine code,
#                                   compiled as for `--engine native` (cold, an hour; CC and TAVL_CFLAGS choose)
#
# SEED=7 looks at other games and other values; NO_NATIVE=1 leaves machine code out.
equal=${BUILD:-build}/tests/equal/equal seed=${SEED:-1}
export TAVL_HOME="$PWD"
hosted="tests/hooks/hooks.tavl tests/hooks/everywhere.tavl tests/hooks/everywhere-dice.tavl tests/hooks/step.tavl tests/hooks/lets.tavl tests/equal/wandering.tavl tests/equal/great-numbers.tavl"
odd="tests/equal/walks.tavl tests/equal/known.tavl tests/equal/twice.tavl tests/equal/rings.tavl tests/equal/shared-rows.tavl tests/equal/six-words.tavl tests/equal/ways.tavl tests/equal/lists.tavl tests/equal/lists-stacks.tavl tests/equal/pictures.tavl tests/equal/asked-ways.tavl tests/equal/look-alike.tavl tests/equal/pushed.tavl tests/equal/victims.tavl tests/equal/choice.tavl"
if [ "$1" = full ]; then
  machine="-k 1"
  [ -n "$NO_NATIVE" ] && machine=
  "$equal" $machine -n "${N:-3}" -t 40 -s "$seed" $odd || exit 1
  [ -n "$NO_NATIVE" ] || TAVL_CFLAGS="-O1 $TAVL_CFLAGS" "$equal" -B -k 1 -o -n "${N:-3}" -t 30 -s "$seed" || exit 1
  "$equal" -n "${N:-3}" -t 20 -s "$seed" $hosted && "$equal" -H -n "${N:-3}" -t 20 -s "$seed" || exit 1
  exec "$equal" $machine -n "${N:-3}" -t 60 -s "$seed"
fi
# boards and questions that were answered otherwise once
"$equal" -n 2 -t 30 -s "$seed" $odd || exit 1
# what the kernels leave to the reference: scripts, and any sections of any game
"$equal" -n 1 -t 5 -s "$seed" $hosted && "$equal" -d -H -n 1 -t 5 -s "$seed" || exit 1
[ -n "$NO_NATIVE" ] && exec "$equal" -n 1 -t 5 -s "$seed"
cache=$(mktemp -d) || exit 2
trap 'rm -rf "$cache"' EXIT
if command -v tcc >/dev/null 2>&1; then
  CC=tcc XDG_CACHE_HOME=$cache "$equal" -k 3 -n 1 -t 5 -s "$seed" || exit 1
  CC=tcc XDG_CACHE_HOME=$cache "$equal" -B -k 12 -o -n 1 -t 5 -s "$seed" || exit 1
else
  TAVL_CFLAGS=-O0 XDG_CACHE_HOME=$cache "$equal" -k 20 -n 1 -t 5 -s "$seed" || exit 1
fi
TAVL_CFLAGS=-O0 XDG_CACHE_HOME=$cache "$equal" -B -d -k 5 -o -n 1 -t 10 -s "$seed" || exit 1
TAVL_CFLAGS=-O1 XDG_CACHE_HOME=$cache "$equal" -k 100 -o -n 2 -t 10 -s "$seed" || exit 1
"$equal" -k 1 -d -o -n 2 -t 40 -s "$seed" tavlei hypernardy nordy-loki tests/hooks/everywhere-dice.tavl
