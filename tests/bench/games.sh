#!/bin/sh
# make bench: random games a CPU second by every engine, beside hand-written engines when their sources are at hand
# (YARDSTICK=FOLDER, else a folder `yardstick` next to this tree). Writes tests/bench/RESULTS.md.
BUILD=${BUILD:-build}
export TAVL_HOME="$PWD"
out=$BUILD/bench cache=$BUILD/bench/cache
rm -rf "$cache"
mkdir -p "$cache"
export XDG_CACHE_HOME="$PWD/$cache"
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
  echo "reference is measured in turns and converted; its games stop after 300 turns."
  echo
  "$BUILD/tests/bench/bench" -s "$slice" tests/bench/tablut.tavl hypernardy backgammon tavlei hnefatafl-copenhagen \
    alea-evangelii long-nardy nordy-loki nordy-loki:seats=3
} >"$results"

if [ -n "$yardstick" ] && [ -f "$yardstick/tablut.c" ]; then
  for name in tablut hyper; do ${CC:-cc} -O3 -march=native -w -o "$out/$name" "$yardstick/$name.c" || exit 1; done
  ours() { # game, column
    awk -F'|' -v game="$1" '$2 == " " game " " {gsub(/ /, "", $5); print $5}' "$results"
  }
  : >"$out/yard"
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
  echo "perft of \`tests/bench/tablut.tavl\`, machine code:"
  echo
  echo '```'
  "$TAVL" perft tests/bench/tablut.tavl --depth 4 --engine native --bare
  echo '```'
  echo
  echo "Two threads against one (\`simulate tavlei -n 20000\`, wall seconds):"
  echo
  echo '```'
  for jobs in 1 2; do "$TAVL" simulate tavlei -n 20000 --engine native --jobs $jobs | tail -n 1; done
  echo '```'
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
