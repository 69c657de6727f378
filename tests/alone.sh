#!/bin/sh
# Games printed by `tavl compile` build alone, by the letter of C11 and without a warning of note, and count what the
# reference counts.
cd "$(dirname "$0")/.." || exit 2
tavl=${TAVL:-build/tavl}
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0
cc=${CC:-cc}

# alone GAME DEPTH OPTION…
alone() {
  game=$1 depth=$2
  shift 2
  name="$game $*" good=1
  "$tavl" compile "$game" "$@" --to "$dir/game.c" 2>"$dir/err" &&
    "$cc" -std=c11 -pedantic-errors -O0 -Wall -Wextra -Wno-unused -Werror -DTAVL_MAIN -o "$dir/game" "$dir/game.c" 2>>"$dir/err" || good=0
  [ $good = 0 ] || "$dir/game" 3 "$depth" >"$dir/got" 2>>"$dir/err" || good=0
  "$tavl" perft "$game" "$@" --depth "$depth" --engine reference | sed -n 's/^\(depth [0-9]*: [0-9]*\).*/\1/p' >"$dir/want"
  sed -n 's/^\(depth [0-9]*: [0-9]*\).*/\1/p' "$dir/got" | cmp -s - "$dir/want" || good=0
  [ -s "$dir/want" ] && grep -q '^games 3, ' "$dir/got" || good=0
  if [ $good = 1 ]; then
    passed=$((passed + 1)); echo "ok alone: $name"
  else
    failed=$((failed + 1)); echo "FAILED alone: $name"; head -n 5 "$dir/err"; cat "$dir/got" "$dir/want"
  fi
}
alone tavlei 2
alone hnefatafl-copenhagen 1
alone hypernardy 1
alone plakoto 1
alone nordy-loki 1 -o seats=3
alone tests/equal/lists-stacks.tavl 2 -o does=captures
alone tests/equal/lists.tavl 1 -o does=gains_each
alone tests/equal/pictures.tavl 2 -o asks=midst
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
