#!/bin/sh
# Random games of every game under rules/, for every value of every option (and Nords of Loki with two and with
# three players): the self-check after every turn, and, where nothing leaves the game for good, the
# number of pieces. Each game ends, or is reported as unfinished at the cap.
#
#   tests/random.sh                          a short game for every other value, as `make test` does; no houses
#   N=1000 CAP=3000 tests/random.sh          the full run; ONLY_GAME=nordy-loki for one game, SEED for others
cd "$(dirname "$0")/.." || exit 2
TAVL=${TAVL:-build/tavl}
[ -n "$N" ] || quick=1
N=${N:-1} CAP=${CAP:-30} SEED=${SEED:-1} LIMIT=${LIMIT:-$((60 + N * 10))}
passed=0 failed=0
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT

# play GAME-FILE OPTION=VALUE…
play() {
  file=$1; shift
  name="$(basename "$file" .tavl)${*:+ $*}"
  options=''
  for o; do options="$options -o $o"; done
  n=$N cap=$CAP
  # random games of the simple variant have 1 844 turns on average: fewer of them, by a player who looks ahead
  case $name in *simple*) options="$options --players greedy" n=$(((N + 9) / 10)); [ "$cap" -le 600 ] || cap=600 ;; esac
  timeout "$LIMIT" "$TAVL" simulate "$file" -n $n --cap $cap --seed "$SEED" --check --json $options >"$log" 2>&1
  status=$?
  said=$(sed -n 's/.*"games": \([0-9]*\), "finished": \([0-9]*\), "unfinished": \([0-9]*\).*"turns": {"mean": \([0-9.]*\).*/\1 games, \2 finished, \3 unfinished, \4 turns a game/p' "$log")
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

# values GAME-FILE: a line `option=value` for each value but the default of each option
values() {
  "$TAVL" show "$1" --json | grep -o '{"name": "[^"]*", "values": \[[^]]*\]\(, "low": -*[0-9]*, "high": -*[0-9]*\)*, "default": [^,]*' |
    sed 's/"low".*"default"/"default"/; s/{"name": "\([^"]*\)", "values": \[\([^]]*\)\], "default": \(.*\)/\1|\2|\3/; s/"//g' |
    awk -F'|' '{ n = split($2, v, ", "); for (i = 1; i <= n; i++) if (v[i] != $3) print $1 "=" v[i] }'
}

turn=0
for file in $(find rules -name '*.tavl' | sort); do
  case $file in *"$ONLY_GAME"*) ;; *) continue ;; esac
  play "$file"
  case $quick$file in 1*/house/*) continue ;; esac
  case $file in */nordy-loki.tavl) play "$file" seats=3 ;; esac
  for option in $(values "$file"); do
    turn=$((turn + 1))
    [ -z "$quick" ] || [ $((turn % 2)) -eq 1 ] || continue
    case $option in seats=*) case $file in */nordy-loki.tavl) continue ;; esac ;; esac
    play "$file" "$option"
    case $file in */nordy-loki.tavl)
      play "$file" seats=3 "$option"
      # without konungs games last long enough to come to the third Att and off the board
      case $quick$option in 1*|variant=*) ;; *) play "$file" variant=simple "$option" ;; esac ;;
    esac
  done
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
