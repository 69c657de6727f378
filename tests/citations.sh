#!/bin/sh
# Every ruling of tests/rulings.txt is cited (`see "ID"`) by at least one scenario under rules/.
# A letter after a number counts for the number: see "BONE-23b" cites BONE-23.
cd "$(dirname "$0")/.." || exit 2
cited=$(mktemp) || exit 2
trap 'rm -f "$cited"' EXIT

# The head of a scenario goes from its word to the brace; what stands after `see` is a list.
find rules -name '*.tavl' -exec cat {} + | awk '
  /^[ \t]*((replace|change)[ \t]+)?scenario[ \t]/ { head = ""; reading = 1 }
  reading {
    head = head " " $0
    if ($0 ~ /\{/) {
      reading = 0
      while (match(head, /see "[^"]*"/)) {
        list = substr(head, RSTART + 5, RLENGTH - 6)
        head = substr(head, RSTART + RLENGTH)
        n = split(list, id, /[ ,;]+/)
        for (i = 1; i <= n; i++) { sub(/[a-z]+$/, "", id[i]); print id[i] }
      }
    }
  }' | sort -u >"$cited"

passed=0 failed=0
for group in $(sed -n 's/^\([A-Z]*\)-.*/\1/p' tests/rulings.txt | sort -u); do
  missing=
  for id in $(grep "^$group-" tests/rulings.txt); do
    if grep -qx "$id" "$cited"; then
      passed=$((passed + 1))
    else
      missing="$missing $id" failed=$((failed + 1))
    fi
  done
  if [ -z "$missing" ]; then echo "ok every $group ruling is cited"
  else echo "not ok $group: no scenario cites$missing"; fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
