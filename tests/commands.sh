#!/bin/sh
# The command line: exit codes, help, the shapes of JSON, bad input. One line a test, `ok name` or
# `FAILED name`, and a last line `N passed, N failed`.
cd "$(dirname "$0")/.." || exit 2
tavl=${TAVL:-build/tavl}
case $tavl in /*) ;; *) tavl=$PWD/$tavl ;; esac
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0
out=$dir/out err=$dir/err
unset NO_COLOR TAVL_HOME_TEST
LC_ALL=C.UTF-8; export LC_ALL

# run NAME STATUS ARGUMENT… : runs tavl (input from $dir/in if it is there) and compares the exit status.
run() {
  name=$1 want=$2; shift 2
  if [ -f "$dir/in" ]; then input=$dir/in; else input=/dev/null; fi
  timeout 60 "$tavl" "$@" <"$input" >"$out" 2>"$err"
  got=$?
  rm -f "$dir/in"
  good=1
  if [ "$got" -ne "$want" ]; then good=0; echo "  exit $got, not $want: $(head -c 200 "$err")"; fi
}
# says WORDS: standard output holds them; tells WORDS: standard error does.
says() { grep -qF -- "$1" "$out" || { good=0; echo "  does not print: $1"; head -c 300 "$out"; }; }
tells() { grep -qF -- "$1" "$err" || { good=0; echo "  does not tell: $1"; head -c 300 "$err"; }; }
lines() { n=$(wc -l <"$out"); [ "$n" -eq "$1" ] || { good=0; echo "  prints $n lines, not $1"; }; }
silent() { [ ! -s "$err" ] || { good=0; echo "  tells: $(head -c 300 "$err")"; }; }
done_() {
  if [ "$good" -eq 1 ]; then passed=$((passed + 1)); echo "ok $name"; else failed=$((failed + 1)); echo "FAILED $name"; fi
}
input() { printf '%s\n' "$@" >"$dir/in"; }

# ---- help, unknown words
run "help" 0 --help; says "usage: tavl COMMAND"; says "simulate"; says "Games:"; says "tavlei,"; silent; done_
run "an unknown game is told where the list is" 2 moves zzzzzz; tells 'there is no game `zzzzzz`'; tells '`tavl --help` lists the games'; done_
run "a folder is no game" 2 check .; tells 'it is a folder'; done_
run "a word too many" 2 moves tavlei hypernardy; tells '`hypernardy` is one word too many; usage: tavl moves GAME'; done_
run "a seat far from all" 2 play tavlei --as zz=human; tells 'there is no seat `zz`; there are: attackers, defenders'; done_
run "compile to nowhere" 2 compile tavlei -o "$dir/no/game.c"; tells "cannot be written: No such file"; done_
run "compile a game with scripts" 1 compile tests/hooks/everywhere.tavl -o asked=forbids --to "$dir/game.c"; tells "this game cannot stand alone, a part of it is done by the reference engine: slow: a hook"; done_
run "check --kernel: nothing is slow" 0 check --kernel rules/nordic/nordy-loki.tavl; says "all rules are played by the kernels"; done_
run "a phase that a state may hold is come to" 0 check tests/equal/look-alike.tavl; silent; done_
for f in lists lists-stacks pictures asked-ways ways look-alike pushed; do
  run "check --kernel: no script, nothing slow ($f)" 0 check --kernel "tests/equal/$f.tavl"; says "all rules are played by the kernels"; done_
done
for v in puts_each puts_on_top makes_whose raises_sites sets_twice gains_each two_kinds; do
  run "check --kernel: effects on a list ($v)" 0 check --kernel tests/equal/lists.tavl -o does=$v; says "all rules are played by the kernels"; done_
done
run "check --kernel: scripts" 0 check --kernel tests/hooks/step.tavl; says "slow, by the reference engine (steps): walk: a hook"; says "(the rule alone): tide: a hook"; done_
run "check --kernel --json" 0 check --kernel tests/hooks/step.tavl --json; says '"slow": [{"rule": "walk", "section": "steps", "why": "a hook"}'; done_
run "dump kernel marks what is slow" 0 dump kernel tests/hooks/everywhere.tavl -o asked=forbids; says "slow, by the reference engine: a hook, in slow"; done_
run "version" 0 --version; says "tavl "; done_
run "no command" 2; tells "usage"; done_
run "unknown command" 2 mvoes; tells 'did you mean `moves`'; done_
run "a command far from all" 2 draw; tells 'there is no command `draw`; there are: check, test, show, moves, why, play,'; done_
run "a game before its command" 2 tavlei why d9-d5; tells '`tavlei` is a game; a command stands before it, as in tavl play tavlei'; done_
run "why: the move before the game" 2 why d9-d5 tavlei; tells 'there is no game `d9-d5`'; tells '`tavlei` is a game: write tavl why GAME MOVE'; done_
run "replay: the record before the game" 2 replay "$dir/none.txt" tavlei; tells '`tavlei` is a game: write tavl replay GAME FILE'; done_
run "help of an unknown command" 2 help mvoes; tells 'did you mean `moves`'; done_
run "unknown option before a command" 2 --verbose; tells "no option"; done_
for c in check test show moves why play replay perft simulate format dump dice; do
  run "$c --help" 0 "$c" --help; says "usage: tavl $c"; says "exit status"; silent; cp "$out" "$dir/help"; done_
  run "help $c" 0 help "$c"; cmp -s "$out" "$dir/help" || good=0; silent; done_
  run "$c unknown option" 2 "$c" --positoin x; tells "no option"; done_
done
run "did you mean an option" 2 moves tavlei --positon x; tells '`--position`'; done_
run "an option without its value" 2 moves tavlei --position; tells "wants a value"; done_
for c in show moves perft simulate play; do
  run "$c without a game" 2 "$c"; tells "usage: tavl $c"; done_
done
run "unknown game" 2 moves tavlie; tells 'did you mean `tavlei`'; done_
run "unknown game in JSON" 2 moves tavlie --json; says '{"error": "'; lines 1; done_
run "usage error in JSON" 2 moves --json; says '{"error": "'; lines 1; done_
run "unknown option of the game" 2 moves tavlei -o king_rnge=3; tells "king_rnge"; tells 'king_range'; done_
run "a seat that is not there" 2 play tavlei --as blue=human; tells 'there is no seat `blue`'; done_
run "unknown players are told the list" 2 simulate tavlei -n 1 --players clever; tells "random or greedy"; done_
run "test --only of nothing" 1 test tavlei --only nosuch; tells 'no scenario has `nosuch`'; done_
run "show keeps the translation of turn" 0 show tavlei; grep -q '^  turn .* ru "' "$out" || good=0; done_
run "value out of range" 2 moves tavlei -o king_range=99; tells "king_range"; done_
run "option without value" 2 moves tavlei -o king_range; tells "PARAM=VALUE"; done_
run "an option of the game" 0 perft tavlei --depth 1 -o king_range=unlimited; says "depth 1: 72"; done_
run "lang" 2 moves tavlei --lang de; tells "--lang is en or ru"; done_

# ---- numbers: digits and nothing else, in every option that takes one
for bad in +3 ' 3' '3 ' 3x 0x3 1e3 3.0 -3 '' ' ' 99999999999999999999 ３; do
  for o in -n --games; do run "$o '$bad'" 2 simulate tavlei "$o" "$bad"; tells "--games (-n) wants a whole number from 1 to 1000000000, not \`$bad\`"; done_; done
  for o in --seed --cap --jobs; do run "simulate $o '$bad'" 2 simulate tavlei -n 1 "$o" "$bad"; tells "$o"; tells "wants a whole number from"; tells "not \`$bad\`"; done_; done
  for o in --seed --cap; do run "play $o '$bad'" 2 play tavlei "$o" "$bad"; tells "wants a whole number from"; done_; done
  run "perft --depth '$bad'" 2 perft tavlei --depth "$bad"; tells "--depth (-D) wants a whole number from 1 to 64, not \`$bad\`"; done_
  run "simulate --shard '$bad/4'" 2 simulate tavlei -n 1 --shard "$bad/4"; tells "--shard wants I/N, like 1/4, not \`$bad/4\`"; done_
  run "simulate --shard '1/$bad'" 2 simulate tavlei -n 1 --shard "1/$bad"; tells "--shard wants I/N, like 1/4, not \`1/$bad\`"; done_
  run "-o king_range='$bad'" 2 moves tavlei -o "king_range=$bad"; tells "option \`king_range\` cannot be \`$bad\`"; done_
done
for bad in +6,3 '6,3,' ,6,3 6,,3 6--3 0x6,3 6.0,3 -6,3 6,3x 99999999999,1 '' ' '; do
  run "--dice '$bad'" 2 moves hypernardy "--dice=$bad"; tells "--dice wants numbers like 6,3, not \`$bad\`"; done_
done
for good in 6,3 '6, 3' '6 3' 6-3 ' 6 , 3 '; do run "--dice '$good'" 0 moves hypernardy --dice "$good"; says "9 turns of white"; done_; done

# ---- check, test, format, dump, show
printf 'game "Bad" {\n  board square { size 5 }\n  piece man of white symbol w\n  move walk { who man along nowhere }\n' >"$dir/bad.tavl"
run "check a good file" 0 check rules/tafl/tavlei.tavl; says "tavlei"; lines 1; done_
run "check a bad file" 1 check "$dir/bad.tavl"; tells "bad.tavl:"; tells "error["; tells "^"; done_
run "check --json" 1 check --json "$dir/bad.tavl"; says '"errors":'; says '"line":'; says '"column":'; lines 1; silent; done_
run "check a missing file" 2 check "$dir/none.tavl"; tells "none.tavl"; done_
run "check a directory" 2 check "$dir"; done_
printf 'game "G\033[2J" { }\n' >"$dir/steers.tavl"
run "check a text that steers the terminal" 2 check "$dir/steers.tavl"; tells "error[E003]"; done_
run "check a device" 2 check /dev/null; tells "it is no file"; done_
run "check two files" 1 check rules/tafl/tavlei.tavl "$dir/bad.tavl"; says "tavlei"; tells "bad.tavl:"; done_
run "test" 0 test tavlei; says "0 failed"; done_
run "test --json" 0 test tavlei --json; says '"failed": 0'; lines 1; done_
run "test of nothing" 2 test "$dir/none.tavl"; done_
run "format prints" 0 format rules/tafl/tavlei.tavl; says 'game "Tavlei"'; cp "$out" "$dir/once.tavl"; done_
run "format is a fixed point" 0 format --check "$dir/once.tavl"; done_
cp "$dir/once.tavl" "$dir/twice.tavl"; sed 's/^  board/        board/' "$dir/once.tavl" >"$dir/off.tavl"
run "format --check says no" 1 format --check "$dir/off.tavl"; says "off.tavl"; done_
run "format --write" 0 format --write "$dir/off.tavl"; cmp -s "$dir/off.tavl" "$dir/once.tavl" || good=0; done_
run "format a broken file" 2 format "$dir/bad.tavl"; tells "error["; done_
run "format --check --write" 2 format --check --write "$dir/once.tavl"; done_
run "dump tokens" 0 dump tokens rules/tafl/tavlei.tavl; says "1:"; done_
run "dump tree" 0 dump tree rules/tafl/tavlei.tavl; says "("; done_
run "dump rules" 0 dump rules tavlei; says "king_walk"; done_
run "dump something else" 2 dump tokns rules/tafl/tavlei.tavl; tells 'did you mean `tokens`'; done_
run "show rules" 0 show tavlei; says "king_walk"; done_
run "show --start" 0 show tavlei --start; says "to move: attackers"; says "K"; done_
run "show plain is ASCII" 0 show nine-mens-morris --start --plain; LC_ALL=C grep -q '[^ -~]' "$out" && good=0; done_
run "show in Russian" 0 show tavlei --start --lang ru; says "ход:"; done_
run "show --json" 0 show tavlei --json; says '"players": ["attackers", "defenders"]'; done_
run "show --svg" 0 show tavlei --svg "$dir/board.svg"; grep -q '</svg>' "$dir/board.svg" || good=0; done_
run "show --svg to nowhere" 2 show tavlei --svg "$dir/no/board.svg"; tells "cannot be written"; done_
run "show points" 0 show hypernardy --start; says "13"; done_
run "show a ring" 0 show nordy-loki --start; says "hand"; done_
run "show svg of points" 0 show nordy-loki --svg -; says "</svg>"; done_
run "show svg of a graph" 0 show nine-mens-morris --svg -; says "</svg>"; done_

# ---- moves
run "moves" 0 moves tavlei; says "72 turns of attackers"; done_
run "moves --json" 0 moves tavlei --json; says '{"to_move": "attackers", "turns": [{"move": "'; says '"count": 72}'; says '"ends": null'; lines 1; silent; done_
run "moves with dice" 0 moves hypernardy --dice 6,3 --json; says '"count": 9}'; done_
run "moves by roll" 0 moves hypernardy --json; says '"rolls": [{"dice": [6, 5], "ways": 2, "turns": ['; done_
run "dice that cannot be" 2 moves hypernardy --dice 7,1; tells "7"; done_
run "dice: too few" 2 moves hypernardy --dice 6; done_
run "dice: too many" 2 moves hypernardy --dice 1,2,3,4,5,6,1,2,3; done_
run "dice: words" 2 moves hypernardy --dice six,three; tells "--dice wants"; done_
run "dice in a game without" 2 moves tavlei --dice 6,3; tells "no dice"; done_
P='{"to_move":"defenders","pieces":{"king of defenders":{"e5":1},"man of attackers":{"a1":1}}}'
run "a position as text" 0 moves tavlei --position "$P" --json; says '"to_move": "defenders"'; done_
printf '%s' "$P" >"$dir/p.json"
run "a position in a file" 0 moves tavlei --position "$dir/p.json"; done_
run "a position in @file" 0 moves tavlei --position "@$dir/p.json"; done_
input "$P"; run "a position on standard input" 0 moves tavlei --position -; says "of defenders"; done_
run "a position that is not there" 2 moves tavlei --position "$dir/q.json"; tells "cannot be read"; done_
run "a broken position" 2 moves tavlei --position '{"to_move":' --json; says '{"error": "'; lines 1; done_
run "a site that is not there" 2 moves tavlei --position '{"to_move":"defenders","pieces":{"king of defenders":{"Z99":1}}}'; tells "Z99"; done_
run "a king missing" 2 moves tavlei --position '{"to_move":"defenders","pieces":{}}'; tells "king of defenders is missing"; done_
run "two kings" 2 moves tavlei --position '{"to_move":"defenders","pieces":{"king of defenders":{"e5":2}}}'; tells "2 king"; done_
run "a name that steers the terminal" 2 moves tavlei --position '{"to_move":"\u001b[2J","pieces":{}}'; tells '`?[2J`'; grep -q "$(printf '\033')" "$err" && good=0; done_
run "after the end" 0 moves tavlei --position '{"to_move":null,"pieces":{}}' --json; says '"to_move": null, "turns": []'; done_
head -c 200000 /dev/zero | tr '\0' '[' >"$dir/deep.json"
run "200 000 brackets" 2 moves tavlei --position "$dir/deep.json"; tells "JSON"; done_
head -c 3000000 /dev/zero | tr '\0' 'x' >"$dir/long.json"
run "a position of three megabytes" 2 moves tavlei --position "$dir/long.json"; tells "too large"; done_
input '{"id":1,"position":{"to_move":"white","pieces":{"checker of white":{"24":1}},"dice":[6,3]}}' 'rubbish' \
  '{"id":"x","position":{"to_move":"nobody","pieces":{}}}' '' '{"id":[2],"position":{"to_move":"black","pieces":{"checker of black":{"1":1}}}}' '7'
run "moves --batch" 0 moves hypernardy --batch; lines 5; says '{"id": 1, "to_move": "white", "turns": ['; says '{"id": null, "error": "'
says '{"id": "x", "error": "'; says '{"id": [2], "to_move": "black", "rolls": ['; silent; done_
run "--batch with --position" 2 moves hypernardy --batch --position x; done_

# ---- why
run "why legal" 0 why tavlei d9-d7; says "is legal"; says "man_walk"; done_
run "why not" 1 why tavlei e7-e9; says "is not legal"; done_
run "why --json" 1 why tavlei --position "$P" e5-e9 --json; says '"legal": false, "rule": "king_walk", "clause": "reach"'; says '"line":'; lines 1; done_
run "why --source" 1 why tavlei --position "$P" e5-e9 --source; says "tavlei.tavl:"; says "^"; done_
run "why in Russian" 1 why tavlei --position "$P" e5-e9 --lang ru; says "нельзя"; done_
run "why nonsense" 2 why tavlei zzz; done_
run "why without dice" 2 why hypernardy 24-18; tells "--dice"; done_
run "why with dice" 0 why hypernardy --dice 6,5 24-18-13; done_
run "why a move of several words" 0 why hypernardy --dice 6,5 24-18 23-18; done_

# ---- replay
printf '# a comment\r\n\r\nd9-d7 e7-f7 d7-d6\r\n' >"$dir/good.txt"
run "replay" 0 replay tavlei "$dir/good.txt"; says "1: ok, 3 turns"; done_
run "replay --json" 0 replay tavlei "$dir/good.txt" --json; says '{"game": 1, "ok": true, "turns": 3, "captures": [[], [], []], "ends": null}'; lines 1; done_
printf 'd9-d7 e5-e9\nd9-d7\nd9-d7xd5\nd9-d7xe7\n' >"$dir/bad.txt"
run "replay refuses" 1 replay tavlei "$dir/bad.txt" --json; lines 4; says '{"game": 1, "ok": false, "turn": 2, "move": "e5-e9", "why": "'; says '{"game": 2, "ok": true'
says '{"game": 3, "ok": false'; says '"rule": "defender_taken"'; done_
run "replay of nothing" 2 replay tavlei "$dir/none.txt"; tells "cannot be read"; done_
run "replay a directory" 2 replay tavlei "$dir"; done_
input 'd9-d7'; run "replay standard input" 0 replay tavlei -; says "1 game, 0 refused"; done_
input 'white=6,3:24-18,24-21 6,3:pass'; run "replay dice" 1 replay hypernardy -; says "refused at turn"; done_
input 'white=6,5:24-18-13 double:accept 2,1:pass'; run "replay: a pass where there is a move" 1 replay hypernardy - --json; says '"turn": 2'; done_
input '6,6:24-18'; run "replay: a throw that is thrown again" 1 replay hypernardy -; says "thrown again"; done_
input '24-18'; run "replay: no dice" 1 replay hypernardy -; says "throw is missing"; done_
head -c 100000 /dev/urandom | tr '\0' 'x' >"$dir/in"; run "replay rubbish" 1 replay tavlei -; done_
run "replay: a line without end" 2 replay tavlei /dev/zero; tells "too long"; done_
printf '\033[2J-a1\n' >"$dir/in"; run "replay: a word that steers the terminal" 1 replay tavlei -; says '?[2J-a1'; grep -q "$(printf '\033')" "$out" && good=0; done_

# ---- what a resignation is worth: one stake, whatever the stake is, and no more
ends() { says '"ends": {"winner": "'"$1"'", "scores": {'"$2"'}, "rule": null}'; }
input 'white=6,5:24-18-13 resign'; run "resigned before the cube is turned: 1 (HYPER-20)" 0 replay hypernardy - --json; ends white '"white": 1, "black": 0'; done_
input 'white=6,5:24-18-13 double:accept resign'; run "resigned at the stake 2: 2 (HYPER-20)" 0 replay hypernardy - --json; ends white '"white": 2, "black": 0'; done_
input 'white=6,5:24-18-13 double:accept white:resign'; run "resigned by the other (HYPER-20)" 0 replay hypernardy - --json; ends black '"white": 0, "black": 2'; done_
input 'white=6,5:24-18-13 double:accept resign'; run "resigned is no gammon (HYPER-21)" 0 replay hypernardy - --json -o gammons=on; ends white '"white": 2, "black": 0'; done_
input 'white=6,5:1-7-12 resign'; run "who leaves a mars game loses one stake (LONG-25c)" 0 replay long-nardy - --json -o mode=mars; ends white '"white": 1, "black": 0'; done_
input 'white=6,5:1-7-12 6,5:13-19-24 raise_stake=3:accept resign'; run "resigned in the cube game: the stake (LONG-26c)" 0 replay long-nardy - --json -o mode=dave; ends black '"white": 0, "black": 3'; done_
input 'resign'; run "resigned where every win is worth 1" 0 replay tavlei - --json; ends defenders '"attackers": 0, "defenders": 1'; done_
printf ' 3 point match\n\n Game 1\n A : 0                          B : 0\n  1) 31: 8/5 6/5                 Doubles => 2\n  2)  Takes\n      Wins 4 points\n' >"$dir/gammon.mat"
run "a gammon that is resigned, in a match" 0 replay backgammon "$dir/gammon.mat" --json; ends white '"white": 4, "black": 0'; done_

# ---- perft, simulate
run "perft" 0 perft tavlei --depth 2; says "depth 2: 3944 captures 40"; done_
run "perft --bare" 0 perft tavlei --depth 2 --bare; says "depth 2: 3944"; done_
# f7 … i7, d7 … a7 and e6; e8 is in a camp, and e9 behind it both in and across: two rules forbid one step
closed='{"to_move":"attackers","pieces":{"man of attackers":{"e7":1},"king of defenders":{"e5":1}}}'
for e in reference kernel; do
  run "perft --bare: a step forbidden twice is missing once ($e)" 0 perft tablut -o closed_camps=yes --position "$closed" --depth 1 --bare --engine $e
  says "depth 1: 9"; done_
done
# white is on the bar before six closed points: whatever falls, the one turn is a pass; the first throw is no double
closed='{"to_move":"white","pieces":{"checker of white":{"bar":1,"1":2},"checker of black":{"24":2,"23":2,"22":2,"21":2,"20":2,"19":2}}}'
for e in reference kernel; do
  run "perft where all must pass ($e)" 0 perft backgammon --position "$closed" --depth 1 --engine $e
  says "depth 1: 15 weighted 30 captures 0 ended 0"; done_
done
# 5-1-tray and 5-4, 4-tray take nothing; 4-tray, 5-4 comes to the same, but lets the pinned one go and pins it anew;
# the other turn is 5-1, 4-3, which leaves black free
pinned='{"to_move":"white","pieces":{"checker of white":{"4":1,"5":1},"captive of black":{"4":1}}}'
for e in reference kernel native; do
  [ "$e$NO_NATIVE" != native1 ] || continue
  run "of the ways to one result one that takes the fewest stands for it ($e)" 0 moves plakoto --position "$pinned" --dice 4,1 --json --engine $e
  [ "$(grep -o '"captures": \[\]' "$out" | wc -l)" -eq 2 ] || good=0
  says '"count": 2'; done_
done
run "a way that does not stand for its result can be played all the same" 0 why plakoto '4-tray,5-4' --position "$pinned" --dice 4,1
says "pin: takes checker of black on 4"; done_
run "perft --divide" 0 perft tavlei --depth 2 --divide; says "depth 2: 3944"; says "d9-d7: "; done_
run "perft --json" 0 perft tavlei --depth 1 --json; says '"leaves": 72'; lines 1; done_
run "perft dice" 0 perft hypernardy --depth 1; says "weighted"; done_
run "perft --divide of dice" 0 perft hypernardy --depth 1 --divide --dice 6,5; says "6,5:24-18-13: 1"; done_
run "perft without depth" 2 perft tavlei; tells "--depth"; done_
run "perft depth 0" 2 perft tavlei --depth 0; tells "from 1"; done_
run "perft depth huge" 2 perft tavlei --depth 99999999999999999999; done_
run "perft unknown engine" 2 perft tavlei --depth 1 --engine kernl; tells 'did you mean `kernel`'; done_
run "simulate" 0 simulate tavlei -n 3 --cap 50; says "3 games"; done_
run "simulate --json" 0 simulate hypernardy -n 5 --json --check; says '{"games": 5, "finished": 5, "unfinished": 0, "wins": {"white": '; says '"games_per_second": '; says '"rules": {'; lines 1; done_
run "who goes out by a step of his own is to move until the turn is over" 0 simulate nordy-loki -n 15 --cap 30 --seed 1 --check --engine reference -o seats=3 -o sink_timing=piece_end; says "15 games"; silent; done_
run "simulate --dice-test" 0 simulate hypernardy -n 20 --dice-test; says "chi-square"; done_
run "no dice to test" 2 simulate tavlei -n 1 --dice-test; tells "no dice"; done_
run "simulate nothing" 2 simulate tavlei; tells "-n N"; done_
run "simulate -n -5" 2 simulate tavlei -n -5; tells "whole number"; done_
run "simulate with a stranger" 2 simulate tavlei -n 1 --players rndom; tells 'did you mean `random`'; done_
run "simulate: too many players" 2 simulate tavlei -n 1 --players random,random,random; done_
run "simulate --shard 3/2" 2 simulate tavlei -n 1 --shard 3/2; tells "--shard"; done_
run "simulate is repeatable" 0 simulate hypernardy -n 20 --seed 5 --json; sed 's/"seconds".*"rules"//' "$out" >"$dir/a"
run "simulate is repeatable" 0 simulate hypernardy -n 20 --seed 5 --jobs 3 --json; sed 's/"seconds".*"rules"//' "$out" >"$dir/b"; cmp -s "$dir/a" "$dir/b" || good=0; done_
field() { sed "s/.*\"$1\": \([0-9]*\).*/\1/" "$2"; }
run "shards add up" 0 simulate hypernardy -n 20 --seed 5 --shard 1/2 --json; cp "$out" "$dir/1"
run "shards add up" 0 simulate hypernardy -n 20 --seed 5 --shard 2/2 --json; cp "$out" "$dir/2"
[ $(($(field steps "$dir/1") + $(field steps "$dir/2"))) -eq "$(field steps "$dir/a")" ] || good=0; done_

# ---- engines: the same answers by each of them
for c in "why tavlei d9-d7" "check rules/tafl/tavlei.tavl" "show tavlei"; do
  # shellcheck disable=SC2086
  run "${c%% *}: no engine to choose" 2 $c --engine kernel; tells 'there is no option `--engine`: here the reference engine does it all'; done_
done
for c in "test tavlei" "moves tavlei" "play tavlei" "replay tavlei $dir/good.txt" "simulate tavlei -n 1"; do
  # shellcheck disable=SC2086
  run "${c%% *}: unknown engine" 2 $c --engine kernl; tells 'did you mean `kernel`'; done_
done
run "test by the reference alone" 0 test tests/scenario/wide.tavl -v --engine reference; says "2 passed, 0 failed"; cp "$out" "$dir/reference"
run "test by the kernel too" 0 test tests/scenario/wide.tavl -v --engine kernel; cmp -s "$out" "$dir/reference" || good=0; silent; done_
run "moves by the reference" 0 moves hnefatafl-copenhagen --json --engine reference; cp "$out" "$dir/reference"
run "moves by the kernel" 0 moves hnefatafl-copenhagen --json --engine kernel; cmp -s "$out" "$dir/reference" || good=0; silent; done_
for f in tests/constructs/ways.tavl tests/equal/choice.tavl tests/equal/pushed.tavl; do
  run "turns of one step stand in one order, reference ($f)" 0 moves $f --json --engine reference; cp "$out" "$dir/reference"
  run "turns of one step stand in one order, kernel ($f)" 0 moves $f --json --engine kernel; cmp -s "$out" "$dir/reference" || good=0; done_
done
# all totals but the rules, which count the way that is named
totals() { sed 's/"seconds".*"ends"/"ends"/' "$out"; }
for g in tavlei backgammon plakoto nordy-loki; do
  run "greedy players" 0 simulate $g -n 6 --cap 80 --players greedy,random --engine reference --json; totals >"$dir/reference"
  for e in kernel native auto; do
    [ "$e$NO_NATIVE" != native1 ] && { [ $e != native ] || [ $g = tavlei ]; } || continue
    run "greedy players play the same, $g ($e)" 0 simulate $g -n 6 --cap 80 --players greedy,random --engine $e --jobs 3 --json
    totals | cmp -s - "$dir/reference" || good=0; silent; done_
  done
done
run "random players and checks by the kernel" 0 simulate tavlei -n 3 --cap 60 --check --engine kernel; says "3 games"; done_
for g in tavlei hypernardy; do
  run "play by the reference" 0 play $g --cap 60 --engine reference --save "$dir/game.txt"; cp "$out" "$dir/reference"
  run "play by the kernel, $g" 0 play $g --cap 60 --engine kernel
  [ $g != tavlei ] || cmp -s "$out" "$dir/reference" || good=0; says "$(grep '^Won by' "$dir/reference")"; done_
  run "replay by the reference" 0 replay $g "$dir/game.txt" --json --engine reference; cp "$out" "$dir/reference"
  run "replay by the kernel, $g" 0 replay $g "$dir/game.txt" --json --engine kernel; cmp -s "$out" "$dir/reference" || good=0; done_
done
for g in tavlei brandub hypernardy; do
  run "perft --divide by the reference, $g" 0 perft $g --depth 2 --divide --engine reference; grep -v " s, " "$out" | sort >"$dir/reference"
  run "perft --divide by the kernel, $g" 0 perft $g --depth 2 --divide --engine kernel
  if [ $g = hypernardy ]; then says "$(grep ^depth "$dir/reference")"; else grep -v " s, " "$out" | sort | cmp -s - "$dir/reference" || good=0; fi; silent; done_
done
counted=$("$tavl" perft brandub --depth 3 --engine reference | sed -n 's/depth 3: \([0-9]*\).*/\1/p')
run "perft --divide, left to choose" 0 perft brandub --depth 3 --divide
[ -n "$counted" ] && grep -qx "depth 3: $counted" "$out" || good=0; silent; done_

cat >"$dir/twice.tavl" <<'GAME'
game "Twice" {
  players white, black
  board grid { files 4  ranks 2 }
  piece king of each symbol w, b
  setup { 2 | b . . . |  1 | w . . . | }
  turn { first white }
  move go "One square." { who king  along orthogonal  to empty }
  draw twice "Twice the same." { when repeats >= 2 }
  lose stuck_fast "No step." { judged start  when stuck }
}
GAME
"$tavl" perft "$dir/twice.tavl" --depth 7 --divide --engine reference | grep -v " s, " >"$dir/reference"
run "perft --divide by the kernel knows what stood before" 0 perft "$dir/twice.tavl" --depth 7 --divide --engine kernel
grep -v " s, " "$out" | cmp -s - "$dir/reference" || good=0; says "depth 7: 81"; done_

# ---- games that are at fault: every evaluator says so, and says the same
cat >"$dir/again.tavl" <<'GAME'
game "Again" {
  use "moves"
  players red, blue
  board points { size 6 }
  piece man of each
  dice pip { throw 1d6 }
  setup { place man of red on 1  place man of blue on 6 }
  turn "A die; from the fourth turn on no throw stands." { first red  roll pip  reroll turn_count > 3 }
  move go "Anywhere." { who man  along anywhere  to empty  when dice_used = 0 }
  win far "There." { when turn_count > 9 }
}
GAME
cat >"$dir/places.tavl" <<'GAME'
game "Places" {
  use "moves"
  players red, blue
  board square { size 4 }
  piece man of each symbol r, b
  setup { 4 | b . . . |  1 | r . . . | }
  turn "One step." { first red }
  move go is step "To a free square." { who man }
  settle here_and_there "On the third turn the mover's man is sent to two places." {
    when turn_count = 3
    do   put friend man on d4, put friend man on d1
  }
  draw long "Enough." { when turn_count > 9 }
}
GAME
for e in reference kernel native; do
  [ "$e$NO_NATIVE" != native1 ] || continue
  run "a reroll that never lets a throw stand ($e)" 2 simulate "$dir/again.tavl" -n 20 --jobs 2 --engine $e
  tells "game 0, turn 4: every throw is thrown again (seed 1)"; done_
  run "a piece sent to two places ($e)" 2 simulate "$dir/places.tavl" -n 20 --engine $e
  tells "game 0, turn 3: two effects send "; tells " to different places (seed 1)"; done_
  run "perft: a piece sent to two places ($e)" 2 perft "$dir/places.tavl" --depth 3 --engine $e
  tells "two effects send the man on "; done_
done
cat >"$dir/five-dice.tavl" <<'GAME'
game "Five dice" {
  players red, blue
  board   points { size 4 }
  piece   man of each
  path    road of red = 1 .. 4
  path    road of blue = 4 .. 1
  param   thrown = five | few | total
  dice    pips { throw 5d12 }
  dice    blanks { throw 3d4 faces 0, 0, 1, 3 }
  dice    sum { throw 2d4 gives 1, 2, 1, 2, 3, 3, 1 }
  setup   { place man of red on 4  place man of blue on 1 }
  turn "Five dice, or others." { first red }
  phase five  if thrown = five  { change turn { roll pips } }
  phase few   if thrown = few   { change turn { roll blanks } }
  phase total if thrown = total { change turn { roll sum } }
  move go "As many points as a die shows." { who man  along road  reach die }
  draw long "Enough." { when turn_count > 9 }
}
GAME
for e in reference kernel native; do
  [ "$e$NO_NATIVE" != native1 ] || continue
  run "perft: throws by the thousand ($e)" 0 perft "$dir/five-dice.tavl" --depth 1 --engine $e
  says "depth 1: 4368 weighted 248832"; done_
  run "perft: throws of dice with blanks ($e)" 0 perft "$dir/five-dice.tavl" -o thrown=few --depth 1 --engine $e
  says "depth 1: 10 weighted 64"; done_
  run "perft: throws that show one number ($e)" 0 perft "$dir/five-dice.tavl" -o thrown=total --depth 2 --engine $e
  says "depth 1: 3 weighted 16"; says "depth 2: 9 weighted 256"; done_
done
printf 'return function(p) assert(p.turn_count < 3, "tired") return true end\n' >"$dir/tires.lua"
sed 's/piece man of each.*/& hook tires is condition "tires.lua"/; s/ turn_count = 3$/ not tires/' "$dir/places.tavl" >"$dir/tires.tavl"
for o in --json --divide --bare; do
  run "perft: a script that errs below the first turn ($o)" 2 perft "$dir/tires.tavl" --depth 3 $o
  tells 'hook `tires`: tires.lua:1: tired'; ! grep -q leaves "$out" || good=0; done_
done

# ---- machine code in the cache
if [ -z "$NO_NATIVE" ]; then
  quick=tcc; command -v tcc >/dev/null 2>&1 || quick="cc -O0"
  by_machine() { # NAME FOLDER COMPILER FLAGS: a few games by machine code; the cache is in FOLDER
    XDG_CACHE_HOME=$2 CC=$3 TAVL_CFLAGS=$4; export XDG_CACHE_HOME CC TAVL_CFLAGS
    run "$1" 0 simulate "$dir/five-dice.tavl" -n 1 --engine native; says "1 game, 1 finished"
    unset XDG_CACHE_HOME CC TAVL_CFLAGS
  }
  by_machine "machine code is kept" "$dir" "$quick" ""; silent
  code=$(ls "$dir"/tavl/*.so); [ -f "$code" ] && [ "$(ls "$dir/tavl" | wc -l)" = 1 ] || good=0; done_
  cp "$code" "$dir/whole"; size=$(wc -c <"$code")
  for n in 0 100 4096 20000 $((size - 1)); do
    head -c "$n" "$dir/whole" >"$code"
    by_machine "machine code that is cut off is made anew ($n bytes)" "$dir" "$quick" ""; silent
    [ "$(wc -c <"$code")" -gt "$n" ] || good=0; done_
  done
  { head -c 5000 "$dir/whole"; head -c $((size - 6000)) /dev/zero; tail -c 1000 "$dir/whole"; } >"$code"; cp "$code" "$dir/damaged"
  by_machine "machine code that is damaged is made anew" "$dir" "$quick" ""; silent; ! cmp -s "$code" "$dir/damaged" || good=0; done_
  touch -d '3 days ago' "${code%.so}.77.c" "${code%.so}.77.so"; touch "${code%.so}.78.c" "$dir/tavl/notes.old.c"; rm "$code"
  by_machine "what a killed compiler has left is swept away" "$dir" "$quick" ""; silent
  [ ! -e "${code%.so}.77.c" ] && [ ! -e "${code%.so}.77.so" ] && [ -e "${code%.so}.78.c" ] && [ -e "$dir/tavl/notes.old.c" ] || good=0; done_
  by_machine "a compiler that makes nothing" "$dir" true ""; tells "true could not compile the game"; done_
  printf '#!/bin/sh\nsleep 98.25\necho\n' >"$dir/slow-cc"; chmod +x "$dir/slow-cc"
  TAVL_CC_SECONDS=1; export TAVL_CC_SECONDS
  by_machine "a compiler that never ends" "$dir" "$dir/slow-cc" ""; tells "takes too long to compile the game"
  ! pgrep -f 'sleep 98.25' >/dev/null 2>&1 || good=0; done_
  unset TAVL_CC_SECONDS
  by_machine "a compiler that makes something else" "$dir" "$quick" -c; tells "has made of the game does not load"; done_
  by_machine "a folder is no compiler" "$dir" "$dir" "-DX"; silent; done_
  by_machine "more flags than fit" "$dir" "$quick" "$(printf -- '-DX%s ' $(seq 70))"
  tells "have more words than"; done_
  by_machine "a flag that would stand behind many" "$dir" "$quick" "-DA -DB -DC -DD -DE -DF -DG -DH -DI -DJ -DK -DL -c"; tells "has made of the game does not load"; done_
  if (ulimit -f 8) 2>/dev/null; then
    name="a cache that takes no more is blamed, not the compiler"; good=1
    (ulimit -f 8; trap '' XFSZ; XDG_CACHE_HOME=$dir CC=$quick TAVL_CFLAGS=-DFULL "$tavl" simulate "$dir/five-dice.tavl" -n 1 --engine native >"$out" 2>"$err") || good=0
    tells "for machine code cannot be written: File too large"; done_
  fi
fi

# ---- play
run "play by itself" 0 play tavlei --cap 30; says "1. attackers"; says "30. "; done_
run "play to the end" 0 play hypernardy; says "Won by"; done_
run "play in Russian" 0 play hypernardy --lang ru; says "Победа"; done_
run "play saves, replay reads" 0 play hypernardy --save "$dir/game.txt"; "$tavl" replay hypernardy "$dir/game.txt" >/dev/null || good=0; done_
run "play saves kinds and choices" 0 play nordy-loki --save "$dir/game.txt"; "$tavl" replay nordy-loki "$dir/game.txt" >/dev/null || good=0; done_
input moves 1 undo 'why e5-e9' hint board help "save $dir/mine.txt" 'save /no/where' "load $dir/mine.txt" "load $dir/bad.json" xyzzy quit
run "play with a person" 0 play tavlei --as attackers=human --seed 1; says "is not legal"; says "saved:"; says "1  "; done_
input quit; run "play: dice typed" 0 play hypernardy --dice typed --as white=human --as black=human; done_
input 6,5 24-18-13 resign; run "play: resign" 0 play hypernardy --dice typed --as white=human --as black=human --seed 2; done_
input 6,5 24-18-13 double да resign; run "play: a double, accepted in Russian" 0 play hypernardy --dice typed --as white=human --as black=human --seed 2 --lang ru; says 'принято'; says 'Счёт: white 2, black 0'; done_
input 6,5 24-18-13 double quit; run "play: quit instead of an answer" 0 play hypernardy --dice typed --as white=human --as black=human --seed 2; says 'double? (yes/no)'; done_
input 7,1 6 quit; run "play: impossible dice, in Russian" 0 play hypernardy --dice typed --as white=human --as black=human --seed 2 --lang ru; says 'ни одна кость `pips` не показывает 7'; says 'чисел названо 1, а бросок показывает 2'; done_
run "play --commit" 0 play hypernardy --commit; says "commitment: "; says "secret seed: "; done_
run "play --commit, dice verify" 0 play hypernardy --commit --save "$dir/game.txt"; promise=$(sed -n 's/^commitment: //p' "$out")
run "play --commit, dice verify" 0 dice verify hypernardy "$dir/game.txt" "$promise"; says "the one promised"; says "as recorded"; done_
run "dice verify another promise" 1 dice verify hypernardy "$dir/game.txt" abc; says "not the one promised"; done_
sed 's/ [1-6],[1-6]:/ 9,9:/' "$dir/game.txt" >"$dir/forged.txt"
run "dice verify a forged record" 1 dice verify hypernardy "$dir/forged.txt"; says "is in the record"; done_
run "dice verify of nothing" 2 dice verify hypernardy "$dir/none.txt"; done_
run "play --commit --seed" 2 play hypernardy --commit --seed 1; done_
run "play with a stranger" 2 play tavlei --as attackers=nobody; tells "nobody plays by the name"; done_
run "play in no seat" 2 play tavlei --as green=human; tells "there is no seat"; done_
run "play saves nowhere" 2 play hypernardy --save "$dir/no/game.txt"; tells "cannot be written"; done_

# ---- nothing from outside steers the terminal: what could is shown as ?, in JSON as \u....
esc=$(printf '\033') bidi=$(printf '\342\200\256') c1=$(printf '\302\233')
tame() { # no such character in what was printed; the name of the test comes before
  for bad in "$esc" "$bidi" "$c1"; do
    if grep -qF "$bad" "$out" || grep -qF "$bad" "$err"; then good=0; echo "  steers: $(cat -v "$out" "$err" | head -n 5)"; fi
  done
}
evil="x${esc}[2J${bidi}y${c1}z"
run "tame: a command" 2 "$evil"; tells '`x?[2J?y?z`'; tame; done_
run "tame: an option" 2 moves tavlei "--$evil"; tame; done_
run "tame: a game" 2 moves "$evil"; tells 'x?[2J?y?z'; tame; done_
run "tame: a game in JSON" 2 moves "$evil" --json; tame; done_
run "tame: an option of the game" 2 moves tavlei -o "king_range=$evil"; tells '`x?[2J?y?z`'; tame; done_
run "tame: a name of such an option" 2 moves tavlei -o "$evil=3"; tame; done_
cp rules/tafl/tavlei.tavl "$dir/$evil.tavl"
for c in check test format 'format --check' 'dump tokens' 'dump tree' 'dump rules' show moves 'check --json' 'test --json'; do
  # shellcheck disable=SC2086
  run "tame: the name of a file, $c" 0 $c "$dir/$evil.tavl"; tame; done_
done
printf 'game "G" { %s }\n' "$evil" >"$dir/$evil.tavl"
for c in check test format 'dump tokens' 'dump tree' 'dump rules' show; do
  # shellcheck disable=SC2086
  run "tame: a file, $c" 2 $c "$dir/$evil.tavl"; tells "U+001B, escape"; tells "U+202E, right-to-left override, too"; tells "U+009B, control character, too"; tame; done_
done
run "tame: a site in a position" 2 moves tavlei --position "{\"to_move\":\"attackers\",\"pieces\":{\"man of attackers\":{\"a${bidi}1${c1}\":1}}}"; tame; done_
run "tame: a position in JSON" 2 moves tavlei --json --position '{"to_move":"x\u202ey\u009bz\udb40\udc41\u007f","pieces":{}}'; says 'x?y?z??'; tame; done_
input '{"id":"x\u202ey\u009bz\udb40\udc41\u007f","position":{}}'; run "tame: the id of a batch" 0 moves tavlei --batch; says '"id": "x\u202ey\u009bz\udb40\udc41\u007f"'; tame; done_
run "tame: a move" 2 why tavlei "$evil"; tame; done_
run "tame: a choice" 1 why throne-and-bones "seat_draug=$bidi$c1"; tame; done_
input "$evil" "d9-$evil" "why $evil" "save /no/$evil/x" "load /no/$evil" "$evil=$evil" quit
run "tame: what is typed" 0 play tavlei --as attackers=human --seed 1; tame; done_
printf 'd9-d7 d9-%s\n' "$evil" >"$dir/evil.txt"
printf '# game: %s\nd9-d8\n' "$evil" >"$dir/other.txt"
input "load $dir/evil.txt" "load $dir/other.txt" quit
run "tame: a saved game" 0 play tavlei --as attackers=human --seed 1; says "d9-x?[2J?y?z"; says "it is a game of x?[2J?y?z"; tame; done_
run "tame: replay" 1 replay tavlei "$dir/evil.txt"; tame; done_
run "tame: replay in JSON" 1 replay tavlei "$dir/evil.txt" --json; says 'x\u001B[2J\u202ey\u009bz'; tame; done_
printf '# seed: 1\n6,5:%s %s\n' "$evil" "$evil" >"$dir/evil.txt"
run "tame: dice verify" 1 dice verify hypernardy "$dir/evil.txt"; tame; done_
printf ' 7 point match\n\n Game 1\n %s : 0   b : 0\n  1) 31: %s\n' "$evil" "$evil" >"$dir/evil.txt"
run "tame: a match" 1 replay backgammon "$dir/evil.txt"; tame; done_
printf 'return function(p) error("x\\27[2J\\u{202E}y\\u{9B}z") end\n' >"$dir/storm.lua"
sed 's/strom/storm/' tests/errors/hook-without-file.tavl >"$dir/storm.tavl"
run "tame: a script that errs" 2 moves "$dir/storm.tavl"; tells "storm.lua:1: x?[2J?y?z"; tame; done_
run "tame: a script that errs, in JSON" 2 moves "$dir/storm.tavl" --json; says "storm.lua:1: x?[2J?y?z"; tame; done_
run "tame: a script that errs in a game" 2 play "$dir/storm.tavl"; tame; done_
run "tame: a script that errs in simulation" 2 simulate "$dir/storm.tavl" -n 1; tame; done_
sed '$d' "$dir/storm.tavl" >"$dir/storms.tavl"; echo 'scenario "s" { given start legal a1-a2 } }' >>"$dir/storms.tavl"
echo a1-a2 >"$dir/game.txt"
run "replay: a script that errs is no fault of the record" 2 replay "$dir/storm.tavl" "$dir/game.txt"; says "storm.lua:1"; tame; done_
echo resign >"$dir/game.txt"
sed 's/forbid sail "Not in a storm." {/draw sail "Not in a storm." { judged start /' "$dir/storm.tavl" >"$dir/squall.tavl"
run "replay: a script that errs as a game begins" 2 replay "$dir/squall.tavl" "$dir/game.txt"; says "storm.lua:1"; tame; done_
run "check: what a script asks for is used" 0 check tests/hooks/lets.tavl; silent; done_
run "tame: a script that errs in a scenario" 1 test "$dir/storms.tavl"; tame; done_
head -c 17000000 /dev/zero | tr '\0' x >"$dir/in"
run "play: a line without end" 2 play tavlei --as attackers=human; tells "standard input cannot be read: a line is too long"; done_

# ---- output that cannot be written
if [ -w /dev/full ]; then
  name="a full disk"; good=1
  "$tavl" moves tavlei --json >/dev/full 2>"$err"; [ $? -eq 2 ] || good=0; tells "cannot be written"; done_
fi
name="a closed pipe"; good=1
{ "$tavl" perft tavlei --depth 2 --divide 2>"$err"; echo $? >"$dir/status"; } | true
[ "$(cat "$dir/status")" -ne 139 ] || good=0; done_

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
