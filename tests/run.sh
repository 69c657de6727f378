#!/bin/sh
# Runs every test and ends with the line `N passed, N failed`; exit 1 if any failed.
#
#   TAVL=build/tavl tests/run.sh [UNIT-TEST-PROGRAM…]
#
# A test is anything that prints lines `ok …` and `not ok …` (or `FAILED …`): the unit test programs given, and every
# script tests/*.sh and tests/*/run.sh except this one. A script is run from the top folder with TAVL and
# BUILD set; `ONLY=word` runs those whose name contains the word.
cd "$(dirname "$0")/.." || exit 2
export TAVL="${TAVL:-build/tavl}" BUILD="${BUILD:-build}" CMOCKA_MESSAGE_OUTPUT=TAP
passed=0 failed=0
log=$BUILD/test-log
mkdir -p "$BUILD"

run() { # name, command…
  name=$1; shift
  case $name in *"$ONLY"*) ;; *) return ;; esac
  "$@" >"$log" 2>&1 </dev/null
  status=$?
  good=$(grep -c '^[[:space:]]*ok ' "$log")
  bad=$(grep -cE '^[[:space:]]*(not ok|FAILED) ' "$log")
  if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
  if [ "$good" -eq 0 ] && [ "$bad" -eq 0 ]; then bad=1; echo "no tests ran" >>"$log"; fi
  passed=$((passed + good)) failed=$((failed + bad))
  if [ "$bad" -eq 0 ]; then
    printf '%-32s %5d passed\n' "$name" "$good"
  else
    printf '%-32s %5d passed, %d failed (status %d)\n' "$name" "$good" "$bad" "$status"
    grep -v '^[[:space:]]*ok ' "$log" | sed 's/^/    /' | head -n 60
  fi
}

for program; do run "$(basename "$program")" "$program"; done
for script in tests/*.sh tests/*/run.sh; do
  [ -f "$script" ] && [ "$script" != tests/run.sh ] || continue
  run "$script" sh "$script"
done
rm -f "$log"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
