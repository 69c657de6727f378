#!/bin/sh
# Random games of every game under rules/, for every value of every option: the self-check after every step, and,
# where nothing leaves the game for good, the number of pieces. Each game ends, or is reported as unfinished at the
# cap. Nords of Loki is tried at four tables: with two and with three players, with konungs and without.
#
#   tests/random.sh                          a short game for every other value, as `make test` does; no houses
#   N=1000 CAP=3000 tests/random.sh          the full run; SEED for other games; ONLY_GAME=nordy-loki for one game,
#                                            ONLY_OPTION=bearoff for one option of it
cd "$(dirname "$0")/.." || exit 2
TAVL=${TAVL:-build/tavl}
[ -n "$N" ] || quick=1
N=${N:-1} CAP=${CAP:-30} SEED=${SEED:-1} LIMIT=${LIMIT:-$((60 + N * 10))}
passed=0 failed=0
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT

# play GAME-FILE OPTION=VALUE…: with $n games to $cap turns by $players
n=$N cap=$CAP players=random
play() {
  file=$1; shift
  name="$(basename "$file" .tavl)${*:+ $*}"
  [ $players = random ] || name="$name, $players"
  options=''
  for o; do options="$options -o $o"; done
  timeout "$LIMIT" "$TAVL" simulate "$file" -n $n --cap $cap --players $players --seed "$SEED" --check --json $options >"$log" 2>&1
  status=$?
  said=$(sed -n 's/.*"games": \([0-9]*\), "finished": \([0-9]*\), "unfinished": \([0-9]*\).*"turns": {"mean": \([0-9.]*\).*"ends": {\([^}]*\)}.*/\1 games, \2 finished, \3 unfinished, \4 turns a game; \5/p' "$log" | tr -d '":')
  lost=''
  case $file in
  */tables/*|*/nordy-loki.tavl|*/loki-at-ours.tavl)     # pieces come back: their number stays
    lost=$(grep -o '{"min": [0-9]*, "max": [0-9]*}' "$log" | awk '{ if ($2 + 0 != $4 + 0) print "pieces " $2 " " $4 }') ;;
  esac
  if [ $status -eq 0 ] && [ -n "$said" ] && [ -z "$lost" ]; then
    passed=$((passed + 1)); echo "ok $name: $said"
  else
    failed=$((failed + 1)); echo "FAILED $name: exit $status, $lost $(head -c 400 "$log")"
  fi
}

at_most() { if [ "$1" -lt "$2" ]; then echo "$1"; else echo "$2"; fi; }

# tables OPTION=VALUE…: Nords of Loki. Without konungs a random game has 1 844 turns on average, few of them off the
# board: random games are left at 300 turns, and a tenth as many are played to the end by players who look ahead.
tables() {
  loki=rules/nordic/nordy-loki.tavl
  for seats in 2 3; do
    play $loki seats=$seats "$@"
    cap=$(at_most $CAP 300)
    play $loki variant=simple seats=$seats "$@"
    players=greedy n=$(((N + 9) / 10)) cap=$(at_most $CAP 1000)
    play $loki variant=simple seats=$seats "$@"
    players=random n=$N cap=$CAP
  done
}

# values GAME-FILE: a line `option=value` for each value but the default of each option
values() {
  "$TAVL" show "$1" --json | grep -o '{"name": "[^"]*", "values": \[[^]]*\]\(, "low": -*[0-9]*, "high": -*[0-9]*\)*, "default": [^,]*' |
    sed 's/"low".*"default"/"default"/; s/{"name": "\([^"]*\)", "values": \[\([^]]*\)\], "default": \(.*\)/\1|\2|\3/; s/"//g' |
    awk -F'|' '{ n = split($2, v, ", "); for (i = 1; i <= n; i++) if (v[i] != $3) print $1 "=" v[i] }'
}

turn=0
for file in $(find rules -name '*.tavl' | sort); do
  case $file in *"$ONLY_GAME"*) ;; *) continue ;; esac
  case $ONLY_OPTION$file in
  rules/nordic/nordy-loki.tavl) tables ;;
  rules/*) play "$file" ;;
  esac
  case $quick$file in 1*/house/*) continue ;; esac
  for option in $(values "$file"); do
    case $option in *"$ONLY_OPTION"*) ;; *) continue ;; esac
    turn=$((turn + 1))
    [ -z "$quick" ] || [ $((turn % 2)) -eq 1 ] || continue
    case $file$option in
    */nordy-loki.tavlseats=*|*/nordy-loki.tavlvariant=*) ;;      # the tables
    */nordy-loki.tavl*) tables "$option" ;;
    *) play "$file" "$option" ;;
    esac
  done
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
