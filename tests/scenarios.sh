#!/bin/sh
# Runs the scenarios of every file under rules/, with the kernel beside the reference: a line a file, the failures below
# it, and the sum in the last line. A file fails when one of its scenarios does.
cd "$(dirname "$0")/.." || exit 2
TAVL=${TAVL:-build/tavl}
passed=0 failed=0
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
for file in $(find rules -name '*.tavl' | sort); do
  if "$TAVL" test "$file" --engine kernel >"$log" 2>&1; then
    echo "ok $file: $(tail -n 1 "$log")"
    passed=$((passed + 1))
  else
    echo "not ok $file: $(tail -n 1 "$log")"
    grep -v '^ok ' "$log" | sed 's/^/  /'
    failed=$((failed + 1))
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
