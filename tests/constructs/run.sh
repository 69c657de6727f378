#!/bin/sh
# The scenarios of tests/constructs: every construct of the language, counted by hand; by the kernel, too.
: "${TAVL:=build/tavl}"
failed=0 passed=0
for file in tests/constructs/*.tavl; do
  name=${file##*/}
  if out=$("$TAVL" test "$file" --engine kernel 2>&1) && "$TAVL" check "$file" >/dev/null 2>&1; then
    echo "ok constructs/$name: $(echo "$out" | tail -n 1)"; passed=$((passed + 1))
  else
    echo "FAILED constructs/$name"; echo "$out"; failed=$((failed + 1))
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
