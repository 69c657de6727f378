#!/bin/sh
# What `tavl why` says about the games of dice: the rule, the better turn, what a step would leave,
# what sinks. One line a test, `ok name` or `FAILED name`.
cd "$(dirname "$0")/.." || exit 2
TAVL=${TAVL:-build/tavl}
out=$(mktemp) || exit 2
trap 'rm -f "$out"' EXIT
LC_ALL=C.UTF-8; export LC_ALL
passed=0 failed=0

# asks STATUS GAME ARGUMENT… : asks; says WORDS: the answer holds them; done_ NAME
asks() {
  want=$1; shift
  timeout 60 "$TAVL" why "$@" >"$out" 2>&1
  got=$?
  good=1
  [ $got -eq "$want" ] || { good=0; echo "  exit $got, not $want"; cat "$out"; }
}
says() { grep -qF -- "$1" "$out" || { good=0; echo "  does not say: $1"; cat "$out"; }; }
omits() { if grep -qF -- "$1" "$out"; then good=0; echo "  says: $1"; cat "$out"; fi; }
done_() {
  if [ $good -eq 1 ]; then passed=$((passed + 1)); echo "ok $1"; else failed=$((failed + 1)); echo "FAILED $1"; fi
}

# ---- Nords of Loki
P='{"to_move":"red","pieces":{"konung of red":{"7":1},"warrior of red":{"5":1,"3":11},"konung of blue":{"hand":1},"warrior of blue":{"hand":12}}}'
asks 1 nordy-loki --position "$P" --dice 1,3,4 'warrior 5-9'
says 'konung_leads.who'; says 'that the konung has not reached'; says 'att of friend konung'
done_ "a warrior overtakes the konung (LOKI-22)"
asks 1 nordy-loki --position "$P" --dice 1,3,4 'warrior 5-9' --json
says '"legal": false, "rule": "konung_leads"'; says '"witness": ["5"]'
done_ "a warrior overtakes the konung, in JSON"
asks 1 nordy-loki --dice 1,3,4 'warrior hand-1' --lang ru
says 'konung_returns.who'; says 'Пока конунг не вступил'
done_ "the konung enters first (LOKI-21)"
P='{"to_move":"red","pieces":{"konung of red":{"1":1},"warrior of red":{"3":4,"2":1,"hand":7},"konung of blue":{"hand":1},"warrior of blue":{"hand":12}}}'
asks 0 nordy-loki --position "$P" --dice 1,2,6 'warrior 2-3' 'konung 1-3' 'warrior hand-6'
says 'sink: konung of red from 3 to hand, 5 warrior of red from 3 to hand, ship of 3: ghost, lives of red: 6'
omits 'odin'; omits 'leave_the_game'
done_ "what sinks is said, and nothing about rules that change nothing"
P='{"to_move":"red","pieces":{"konung of red":{"3":1},"warrior of red":{"2":12},"konung of blue":{"hand":1},"warrior of blue":{"4":1,"hand":11}}}'
asks 0 nordy-loki --position "$P" --dice 1,2,2 'konung 3-4' 'warrior 2-4' 'warrior 2-4'
says 'hit: takes warrior of blue on 4'; says 'ashore: warrior of blue from water to hand'
done_ "who is hit swims ashore"

# ---- obligations: the better turn
P='{"to_move":"white","pieces":{"checker of white":{"13":2,"tray":13},"checker of black":{"2":2,"18":2,"19":2,"1":9}}}'
asks 1 backgammon --position "$P" --dice 6,5 13-7
says 'play_most.maximize'; says 'Play as many dice as you can.'; says 'better: 13-7 13-8'
done_ "both dice must be played"
P='{"to_move":"white","pieces":{"checker of white":{"12":1,"24":1,"tray":13},"checker of black":{"1":2,"18":2,"19":2,"2":9}}}'
asks 1 backgammon --position "$P" --dice 6,5 12-7
says 'play_larger.maximize'; says '12-6 makes it 6'
done_ "of two dice that exclude each other the larger"
P='{"to_move":"white","pieces":{"checker of white":{"12":1,"tray":14},"checker of black":{"6":2,"1":1,"24":12}}}'
asks 1 backgammon --position "$P" --dice 6,5 12-6
says 'advance.to'; says '`count enemy at here` is 2, not less than 2'
done_ "two enemies close a point"

# ---- what a step would leave
P='{"to_move":"white","pieces":{"checker of white":{"24":8,"13":1,"11":1,"10":1,"9":1,"8":1,"7":2},"checker of black":{"12":15}}}'
asks 1 fevga --position "$P" --dice 4,1 24-20,7-6
says 'six_ahead.leaves'; says 'afterwards all of `enemy` is in `shut_in`'; says 'see: 12'
done_ "six in a row before the whole enemy"
P='{"to_move":"white","pieces":{"checker of white":{"24":10,"23":1,"22":1,"21":1,"20":1,"5":1},"checker of black":{"12":15}}}'
asks 1 fevga --position "$P" --dice 5,1 24-19,5-4
says 'whole_quarter.leaves'; says 'see: 19 20 21 22 23 24'
done_ "all six points of the first quarter"

# ---- a turn without dice
P='{"to_move":"white","state":{"phase":"doublet","named":6},"pieces":{"checker of white":{"24":3,"tray":12},"checker of black":{"19":2,"17":2,"12":2,"hand":9}}}'
asks 1 acey-deucey --position "$P" pass
says 'only who can do nothing passes'; says 'better: 24-18 24-18 24-18'
done_ "the named double is played as far as it goes"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
