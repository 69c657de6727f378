#!/bin/sh
# Counts of positions that were counted outside this program: tests/perft/counts.tsv.
: "${TAVL:=build/tavl}"
passed=0 failed=0
while IFS= read -r line; do
  case $line in '#'*|'') continue ;; esac
  game=$(echo "$line" | cut -f1) options=$(echo "$line" | cut -f2) depth=$(echo "$line" | cut -f3)
  leaves=$(echo "$line" | cut -f4) captures=$(echo "$line" | cut -f5) source=$(echo "$line" | cut -f6)
  got=$("$TAVL" perft "$game" ${options:+-o "$options"} --depth "$depth" 2>&1 | grep "^depth $depth:")
  case "$got " in
    "depth $depth: $leaves "*) good=1 ;;
    *) good=0 ;;
  esac
  [ "$captures" = - ] || case "$got " in *" captures $captures "*) ;; *) good=0 ;; esac
  if [ $good -eq 1 ]; then
    echo "ok perft $game $options depth $depth: $leaves ($source)"; passed=$((passed + 1))
  else
    echo "FAILED perft $game $options depth $depth: $leaves leaves, $captures captures ($source), got: $got"; failed=$((failed + 1))
  fi
done <tests/perft/counts.tsv
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
