#!/bin/sh
# Records of real games must replay, captures and all; a record with a wrong capture must not.
: "${TAVL:=build/tavl}"
passed=0 failed=0
for file in tests/records/*.games; do
  game=$(basename "$file" .games)
  if "$TAVL" replay "$game" "$file" >/dev/null 2>&1; then
    echo "ok records of $game"; passed=$((passed + 1))
  else
    echo "FAILED records of $game"; "$TAVL" replay "$game" "$file" 2>&1 | grep refused; failed=$((failed + 1))
  fi
done
wrong() { # name, game, record, words of the answer
  if out=$(echo "$3" | "$TAVL" replay "$2" - 2>&1); then
    echo "FAILED $1: accepted"; failed=$((failed + 1))
  else
    case $out in *"$4"*) echo "ok $1"; passed=$((passed + 1)) ;;
      *) echo "FAILED $1: $out"; failed=$((failed + 1)) ;; esac
  fi
}
wrong "a capture that does not happen" brandub 'd2-e2 c4-c5 f4-f5 d4-c4 e2-d2xc5' "takes c5"
wrong "a capture left out" brandub 'd2-e2 c4-c2 d6-c6 d3-f3 e2-f2xf4' "f4"
wrong "a jump" brandub 'd2-e2 c4-a4' "walk.through"
wrong "a move after the end" brandub 'd6-f6 d5-c5 d7-d6 d4-d5 g4-g5 e4-e7 g5-e5 c5-c6 b4-b5 c4-c5 d1-e1 e7-e6xd6 b5-b7 d5-d7 f6-f7 d7-c7xb7 a4-a6 c7-a7 d1-d2' "the game is over"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
