#!/bin/sh
# make bench: random games a CPU second by every engine, beside hand-written engines when their sources are at hand
# (YARDSTICK=FOLDER, else a folder `yardstick` next to this tree). Writes tests/bench/RESULTS.md.
BUILD=${BUILD:-build}
export TAVL_HOME="$PWD"
out=$BUILD/bench cache=$BUILD/bench/cache
rm -rf "$cache"
mkdir -p "$cache"
case $cache in /*) ;; *) cache=$PWD/$cache ;; esac
export XDG_CACHE_HOME="$cache"
results=$out/results.md
slice=${SLICE:-0.3}

yardstick=${YARDSTICK:-$(ls -d ../*/yardstick 2>/dev/null | head -n 1)}
middle() { # of the numbers after `playouts/s=` in the lines of a file that begin with a text
  grep "^$1" "$2" | sed 's/.*playouts\/s=\([0-9]*\).*/\1/' | sort -n | awk '{v[NR]=$1} END {print v[int((NR+1)/2)]}'
}

{
  echo "# What \`make bench\` measured"
  echo
  echo "$(date -u +%Y-%m-%d), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1), $(${CC:-cc} --version | head -n 1)."
  echo "Random games a CPU second on one thread, uniform over the distinct turns; medians of three alternating rounds. The"
  echo "reference is measured in turns and converted; its games stop after 300 turns. Cold compile: printing, the compiler"
  echo "and loading, wall time, here the middle one of three; cached: lowered, found in the cache and loaded."
  echo
  "$BUILD/tests/bench/bench" -s "$slice" -c tests/bench/tablut.tavl hypernardy backgammon tavlei hnefatafl-copenhagen \
    alea-evangelii long-nardy nordy-loki nordy-loki:seats=3
  echo
  echo "All other games of \`rules/\`, measured more briefly:"
  echo
  others=
  for file in $(find rules -name '*.tavl' | sort); do
    game=$(basename "$file" .tavl)
    case " hypernardy backgammon tavlei hnefatafl-copenhagen alea-evangelii long-nardy nordy-loki " in
      *" $game "*) ;;
      *) others="$others $game" ;;
    esac
  done
  "$BUILD/tests/bench/bench" -s "$(awk -v s="$slice" 'BEGIN {print s / 2}')" $others
} >"$results"

if [ -n "$yardstick" ] && [ -f "$yardstick/tablut.c" ]; then
  for name in tablut hyper; do ${CC:-cc} -O3 -march=native -w -o "$out/$name" "$yardstick/$name.c" || exit 1; done
  ours() { # game, column
    awk -F'|' -v game="$1" '$2 == " " game " " {gsub(/ /, "", $5); print $5}' "$results"
  }
  : >"$out/yard"
  : >"$out/again"
  for round in 1 2 3; do
    "$out/tablut" 20000 2 >>"$out/yard"
    "$out/hyper" 40000 >>"$out/yard"
    "$BUILD/tests/bench/bench" -s "$slice" tests/bench/tablut.tavl hypernardy backgammon | grep '^|' | tail -n 3 >>"$out/again"
  done
  again() { awk -F'|' -v game="$1" '$2 == " " game " " {gsub(/ /, "", $5); print $5}' "$out/again" | sort -n | sed -n 2p; }
  {
    echo
    echo "Beside engines written by hand for one game, in alternating runs:"
    echo
    echo "| hand-written | games a CPU second | ours, native | ratio |"
    echo "|---|--:|--:|--:|"
    while IFS='|' read -r label game; do
      theirs=$(middle "$label" "$out/yard") mine=$(again "$game")
      awk -v l="$label" -v t="$theirs" -v m="$mine" 'BEGIN {printf "| %s | %.0f | %.0f | %.2f |\n", l, t, m, m / t}'
    done <<END
v1|tests/bench/tablut.tavl
v3 (3|tests/bench/tablut.tavl
v3 G=4|tests/bench/tablut.tavl
hyper v2|hypernardy
hyper v3|hypernardy
backgammon v1|backgammon
END
  } >>"$results"
fi

{
  echo
  echo "perft, leaves a second (wall time of the last depth; the count is the same for all three):"
  echo
  echo "| game | depth | leaves | reference | kernel | native |"
  echo "|---|--:|--:|--:|--:|--:|"
  perft() { # game, depth, engine: leaves and how many a second
    "$TAVL" perft "$1" --depth "$2" --engine "$3" --bare | awk '/^depth/ {n = $3} / leaves a second/ {r = $3} END {print n, r}'
  }
  while read -r game depth slow; do
    set -- $(perft "$game" "$slow" reference) $(perft "$game" "$depth" kernel) $(perft "$game" "$depth" native)
    [ "$3" = "$5" ] || echo "kernel and machine code count $3 and $5"
    echo "| $game | $depth ($slow by the reference) | $5 | $2 | $4 | $6 |"
  done <<END
tests/bench/tablut.tavl 4 3
tavlei 3 2
hnefatafl-copenhagen 3 2
alea-evangelii 2 2
hypernardy 3 2
backgammon 2 2
nordy-loki 2 2
END
  echo
  echo "Memory of \`simulate\` (the most it has held, megabytes), machine code, one thread:"
  echo
  echo "| game | 1 000 games | 100 000 games |"
  echo "|---|--:|--:|"
  for game in hypernardy tests/bench/tablut.tavl; do
    small=$("$BUILD/tests/bench/bench" -m "$TAVL" simulate "$game" -n 1000 --engine native 2>/dev/null)
    large=$("$BUILD/tests/bench/bench" -m "$TAVL" simulate "$game" -n 100000 --engine native 2>/dev/null)
    echo "| $game | $small | $large |"
  done
  echo
  echo "\`tavl check\`, milliseconds, the best of five (the largest game and a small one):"
  echo
  for game in nordy-loki brandub; do
    file=$(find rules -name "$game.tavl")
    for i in 1 2 3 4 5; do
      begun=$(date +%s%N) # ten in a row: to ask the time takes a process too
      for k in 1 2 3 4 5 6 7 8 9 10; do "$TAVL" check "$file" >/dev/null; done
      echo $((($(date +%s%N) - begun) / 100000))
    done | sort -n | awk -v g="$game" 'NR == 1 {printf "- %s: %.1f\n", g, $1 / 100}'
  done
  echo
  echo "Two threads against one (\`simulate tavlei -n 150000\`), in alternating runs; wall seconds:"
  echo
  echo "| --jobs 1 | --jobs 2 | ratio |"
  echo "|--:|--:|--:|"
  for round in 1 2 3 4 5; do
    for jobs in 1 2; do
      "$TAVL" simulate tavlei -n 150000 --engine native --jobs $jobs | sed -n '$s/ s,.*//p'
    done | paste -s -d ' ' -
  done | awk '{printf "%.2f | %.2f | %.2f\n", $1, $2, $1 / $2}' | sort -t'|' -k3 -n | sed 's/^/| /; s/$/ |/; 3s/ |$/ (the middle one) |/'
  if command -v valgrind >/dev/null 2>&1; then
    echo
    echo "Instructions of machine code (callgrind, built for x86-64-v3; they do not depend on noise):"
    echo
    echo "| game | instructions a turn |"
    echo "|---|--:|"
    for game in tests/bench/tablut.tavl hypernardy backgammon; do
      "$TAVL" compile "$game" --to "$out/game.c" &&
        ${CC:-cc} -std=c11 -O3 -march=x86-64-v3 -w -DTAVL_MAIN -o "$out/game" "$out/game.c" || continue
      turns=$("$out/game" 200 1 | sed -n 's/.*turns \([0-9]*\),.*/\1/p')
      n=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$out/game" 200 1 2>&1 | sed -n 's/.*refs: *//p' | tr -d ,)
      awk -v g="$game" -v n="$n" -v t="$turns" 'BEGIN {printf "| %s | %.0f |\n", g, n / t}'
    done
  fi
} >>"$results"
cat "$results"
cp "$results" tests/bench/RESULTS.md
