#!/bin/sh
# Every rules file and library stands in canonical layout: `tavl format --write FILE` puts it there.
cd "$(dirname "$0")/.." || exit 2
TAVL=${TAVL:-build/tavl}
passed=0 failed=0
for file in $(find rules stdlib -name '*.tavl' | sort); do
  if "$TAVL" format --check "$file" >/dev/null 2>&1; then
    passed=$((passed + 1)); echo "ok $file"
  else
    failed=$((failed + 1)); echo "FAILED $file is not in canonical layout"
  fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
