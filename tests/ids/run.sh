#!/bin/sh
# Position ID, match ID and XGID against a table of positions written by GNU Backgammon; what is malformed is refused.
: "${TAVL:=build/tavl}"
cd "$(dirname "$0")/../.." || exit 2
failed=0 passed=0
good() { echo "ok $1"; passed=$((passed + 1)); }
bad() { echo "FAILED $1"; shift; printf '  %s\n' "$@"; failed=$((failed + 1)); }

# What a position is, without what an ID cannot say.
show() { "$TAVL" show "$1" --position "$2" --json 2>&1 | sed 's/, "turn_count": 3, "turns of white": 2, "turns of black": 1//; s/"turn_count": 3, "turns of white": 2, "turns of black": 1//; s/, "state": {}//'; }

tab=$(printf '\t')
while IFS="$tab" read -r game position match xgid json; do
  case $game in '#'*) continue ;; esac
  name="ids/$game $position:$match"
  want=$(show "$game" "$json")
  for id in "id:$position:$match" "$xgid" "id:$xgid"; do
    got=$(show "$game" "$id")
    if [ "$got" = "$want" ] && [ "${got#*pieces}" != "$got" ]; then good "$name read from $id"; else bad "$name read from $id" "$want" "$got"; fi
  done
  want="\"id\": {\"position\": \"$position\", \"match\": \"$match\", \"xgid\": \"$xgid\"}}"
  got=$("$TAVL" show "$game" --position "$json" --id --json 2>&1)
  case $got in *"$want") good "$name written" ;; *) bad "$name written" "$want" "$got" ;; esac
done <tests/ids/known.tsv

refuse() { # game, ID, part of the message
  out=$("$TAVL" moves "$1" --position "$2" --dice 2,1 2>&1 >/dev/null)
  status=$?
  case $status$out in 2*"$3"*) good "ids/refused $2" ;; *) bad "ids/refused $2" "wanted: $3" "got $status: $out" ;; esac
}
refuse backgammon id:4HPwATDgc/ABM 'has 14 characters'
refuse backgammon id:4HPwATDgc/ABMAA 'has 15'
refuse backgammon 'id:4HPwATDgc/AB!A' 'character 13'
refuse backgammon id:4HPwATDgc/ABMB 'more than an ID holds'
refuse backgammon id:////////////AA 'more than 15 pieces'
refuse backgammon id:AAAAAAAAAACAAA 'goes on after the last place'
refuse backgammon id: 'has 14 characters'
refuse backgammon id:4HPwATDgc/ABMA: 'has 12 characters'
refuse backgammon id:4HPwATDgc/ABMA:cAkAAAAAAAA 'has 11'
refuse backgammon id:4HPwATDgc/ABMA:cAkAAAAAAAAI 'goes on after the score'
refuse backgammon id:4HPwATDgc/ABMA:cAoAAAAAAAAA 'the game is over'
refuse backgammon id:4HPwATDgc/ABMA:cBEAAAAAAAAA 'a double waits'
refuse backgammon id:4HPwATDgc/ABMA:fAkAAAAAAAAA 'the stake is 4096'
refuse hypernardy id:4HPwATDgc/ABMA '15 pieces, and the game has 3'
refuse long-nardy id:4HPwATDgc/ABMA 'have no ID'
refuse tavlei id:4HPwATDgc/ABMA 'have no ID'
refuse backgammon 'XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0' 'has 9'
refuse backgammon 'XGID=-b----E-C---eE---c-e----B:0:0:1:00:0:0:0:0:10' '26 places'
refuse backgammon 'XGID=-b----E-C---eE---c-e---?B-:0:0:1:00:0:0:0:0:10' 'place 23'
refuse backgammon 'XGID=Ab----E-C---eE---c-e----A-:0:0:1:00:0:0:0:0:10' 'the other player enters'
refuse backgammon 'XGID=-b----E-C---eE---c-e----B-:0:0:0:00:0:0:0:0:10' 'turn is 1 or -1'
refuse backgammon 'XGID=-b----E-C---eE---c-e----B-:0:0:1:70:0:0:0:0:10' 'like 63'
refuse backgammon 'XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10' 'waits for its answer'
refuse backgammon 'XGID=-b----P-C---eE---c-e------:0:0:1:00:0:0:0:0:10' 'more than 15 pieces'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
