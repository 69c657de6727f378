#!/bin/sh
# Matches in the .mat form: one that GNU Backgammon played and wrote, one with every way of writing, one with a fault in
# each game; and a game of our own saved so and replayed. Expected answers beside them.
: "${TAVL:=build/tavl}"
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0 passed=0
check() { # name, expected file, got file
  if cmp -s "$2" "$3"; then
    echo "ok mat/$1"; passed=$((passed + 1))
  else
    echo "FAILED mat/$1"; diff "$2" "$3" | head -n 20; failed=$((failed + 1))
  fi
}
for name in gnubg forms faults; do
  "$TAVL" replay backgammon "tests/mat/$name.mat" --lang en >"$work/out" 2>&1
  check "$name.mat" "tests/mat/$name.out" "$work/out"
done

for game in backgammon hypernardy; do
  for seed in 1 2 3; do
    "$TAVL" play "$game" --as white=random --as black=random --seed "$seed" --save "$work/game.mat" >/dev/null
    "$TAVL" play "$game" --as white=random --as black=random --seed "$seed" --save "$work/game.txt" >/dev/null
    "$TAVL" replay "$game" "$work/game.mat" --json >"$work/as-match"
    "$TAVL" replay "$game" "$work/game.txt" --json >"$work/as-record"
    check "$game, seed $seed, saved and replayed" "$work/as-record" "$work/as-match"
  done
done

"$TAVL" replay tavlei tests/mat/forms.mat >"$work/out" 2>&1
if [ $? -eq 2 ] && grep -q 'have no ID' "$work/out"; then
  echo "ok mat/another game"; passed=$((passed + 1))
else
  echo "FAILED mat/another game"; cat "$work/out"; failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
