#!/bin/sh
# Broken rules files, one mistake each: tests/errors/NAME.tavl must give exactly NAME.txt (the messages, then the
# exit status). NAME.args, if it is there, says how the program is called; else it is `check NAME.tavl`.
# `tests/errors.sh --accept NAME…` writes what comes out now: read it before you commit it.
cd "$(dirname "$0")/.." || exit 2
tavl=${TAVL:-build/tavl}
case $tavl in /*) ;; *) tavl=$PWD/$tavl ;; esac
TAVL_HOME=${TAVL_HOME:-$PWD}
export TAVL_HOME
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd tests/errors || exit 2

accept=
if [ "$1" = --accept ]; then accept=1; shift; fi
passed=0 failed=0

result() { # name, what it should be, what it is
  if cmp -s "$2" "$3"; then
    echo "ok $1"; passed=$((passed + 1))
  else
    echo "FAILED $1"; diff "$2" "$3" | sed 's/^/    /'; failed=$((failed + 1))
  fi
}

run() { # arguments of the program; everything it says, then the exit status
  NO_COLOR=1 LC_ALL=C.UTF-8 timeout 20 "$tavl" "$@" >"$work/out" 2>&1 </dev/null
  echo "exit $?" >>"$work/out"
  sed "s#$TAVL_HOME/##g; s#$work/##g" "$work/out"
}

for file in ${*:-*.tavl}; do
  name=${file%.tavl}
  if [ -f "$name.args" ]; then arguments=$(cat "$name.args"); else arguments="check $name.tavl"; fi
  # shellcheck disable=SC2086
  run $arguments >"$work/$name"
  if [ "$accept" ]; then cp "$work/$name" "$name.txt"; fi
  result "errors/$name" "$name.txt" "$work/$name"
done

# Files that cannot be kept here as they are.
if [ $# -eq 0 ]; then
  run check nowhere.tavl >"$work/missing"
  printf 'nowhere.tavl:1:1: error[E001]: nowhere.tavl cannot be opened: No such file or directory\n1 error\nexit 2\n' >"$work/missing.txt"
  result errors/missing-file "$work/missing.txt" "$work/missing"

  head -c 1100000 /dev/zero | tr '\0' '#' >"$work/big.tavl"
  run check "$work/big.tavl" >"$work/big"
  printf 'big.tavl:1:1: error[E002]: big.tavl is larger than 1048576 bytes, which no rules file needs\n1 error\nexit 2\n' >"$work/big.txt"
  result errors/file-too-big "$work/big.txt" "$work/big"

  # What is no text, or may not stand in one. not_text NAME: the file is $work/NAME.tavl, the messages on standard input.
  not_text() {
    { cat; printf '1 error\nexit 2\n'; } >"$work/$1.txt"
    run check "$work/$1.tavl" >"$work/$1"
    result "errors/$1" "$work/$1.txt" "$work/$1"
  }
  printf 'game "\310\343\360\340" { }\n' >"$work/bytes.tavl"
  not_text bytes <<'END'
bytes.tavl:1:7: error[E003]: the byte C8 is no text in UTF-8
    game "????" { }
          ^
  note: save it as UTF-8: this looks like Windows-1251 or the like
END
  printf '\377\376g\0a\0m\0e\0' >"$work/sixteen-bits.tavl"
  not_text sixteen-bits <<'END'
sixteen-bits.tavl:1:1: error[E003]: the byte FF is no text in UTF-8
    ??g?a?m?e?
    ^
  note: this looks like UTF-16, or is no text at all: save it as UTF-8
END
  printf '# A game.\ngame "Ga\0me" { }\n' >"$work/null.tavl"
  not_text null <<'END'
null.tavl:2:9: error[E003]: U+0000, null, may not stand in a rules file
    game "Ga?me" { }
            ^
  note: this looks like UTF-16, or is no text at all: save it as UTF-8
END
  printf '# A game.\rgame "G" { }\r' >"$work/old-line-ends.tavl"
  not_text old-line-ends <<'END'
old-line-ends.tavl:1:10: error[E003]: U+000D, carriage return without line feed, may not stand in a rules file
    # A game.?game "G" { }
             ^
  note: save it with the line ends LF or CR LF
END
  printf 'game "G" {\n  turn "\342\200\256.sriF\342\200\254" ru "\320\245\320\276\302\255\320\264" { first a }\n  # \342\200\213\033[2J \342\201\246 \342\201\251\n}\n' >"$work/not-seen.tavl"
  not_text not-seen <<'END'
not-seen.tavl:2:9: error[E003]: U+202E, right-to-left override, may not stand in a rules file
      turn "?.sriF?" ru "Хо?д" { first a }
            ^
  note: delete it: it is not seen itself, and can hide what else is there
  note: not-seen.tavl:2: U+202C, end of embedding or override, too
  note: not-seen.tavl:2: U+00AD, soft hyphen, too
  note: not-seen.tavl:3: U+200B, zero width space, too
  note: not-seen.tavl:3: U+001B, escape, too
  note: and 2 more
END
  { printf '\357\273\277'; sed 's/$/\r/' nothing-defined.tavl; } >"$work/windows.tavl"
  run check "$work/windows.tavl" >"$work/windows"
  sed 's/^nothing-defined/windows/' nothing-defined.txt >"$work/windows.txt"
  result errors/windows "$work/windows.txt" "$work/windows"

  # A hook's file is a link: within the folder it is followed, out of the folder it is not.
  mkdir -p "$work/linked/own" "$work/elsewhere"
  sed 's/strom/storm/' hook-without-file.tavl >"$work/linked/game.tavl"
  echo 'return function(p) return false end' >"$work/linked/own/rain.lua"
  cp "$work/linked/own/rain.lua" "$work/elsewhere/storm.lua"
  ln -s own/rain.lua "$work/linked/storm.lua"
  run check "$work/linked/game.tavl" >"$work/link-within"
  printf 'linked/game.tavl: Crossing is well formed (4 rules, 0 scenarios)\nexit 0\n' >"$work/link-within.txt"
  result errors/hook-link-within "$work/link-within.txt" "$work/link-within"
  ln -sf ../elsewhere/storm.lua "$work/linked/storm.lua"
  run check "$work/linked/game.tavl" >"$work/link-outside"
  cat >"$work/link-outside.txt" <<'END'
linked/game.tavl:16:27: error[E005]: "storm.lua" is a link that leads out of the folder, to elsewhere/storm.lua
      hook storm is condition "storm.lua"
                              ^^^^^^^^^^^
  note: a hook's file lies beside the rules: put the file itself there
1 error
exit 1
END
  result errors/hook-link-outside "$work/link-outside.txt" "$work/link-outside"
  mkdir "$work/installed"
  ln -s ../linked/game.tavl "$work/installed/game.tavl"
  ln -s ../linked/own/rain.lua "$work/installed/storm.lua"
  run check "$work/installed/game.tavl" >"$work/link-both"
  printf 'installed/game.tavl: Crossing is well formed (4 rules, 0 scenarios)\nexit 0\n' >"$work/link-both.txt"
  result errors/hook-link-beside "$work/link-both.txt" "$work/link-both"

  # Files that are too much of something: refused in a sentence, and soon.
  too_much() { # name, what the refusal says; the file is $work/NAME.tavl
    start=$(date +%s)
    run check "$work/$1.tavl" >"$work/$1.out"
    if grep -q "$2" "$work/$1.out" && tail -n 1 "$work/$1.out" | grep -q '^exit 1' && [ $(($(date +%s) - start)) -lt 15 ]; then
      echo "ok errors/$1"; passed=$((passed + 1))
    else
      echo "FAILED errors/$1"; head -n 8 "$work/$1.out" | cut -c 1-160 | sed 's/^/    /'; failed=$((failed + 1))
    fi
  }
  sed '$d' unknown-name.tavl | sed 's/emty/empty/' >"$work/game"
  repeat() { awk -v n="$1" 'BEGIN { for (i = 1; i <= n; i++) print i }'; }

  { cat "$work/game"; echo "let x = $(repeat 10000 | sed 's/.*/(/' | tr -d '\n')edge }"; } >"$work/brackets-in-brackets.tavl"
  too_much brackets-in-brackets 'E013'
  { cat "$work/game"; echo 'let l0 = friend'; repeat 3000 | awk '{ print "let l" $1 " = l" $1 - 1 " where some empty" }'; echo 'forbid x "X." { to l3000 } }'; } >"$work/lets-on-lets.tavl"
  too_much lets-on-lets 'E013'
  { cat "$work/game"; echo 'let l0 = friend where some empty'; repeat 60 | awk '{ print "let l" $1 " = l" $1 - 1 " + (l" $1 - 1 " where some empty)" }'; echo 'move x "X." { who l60  along orthogonal } }'; } >"$work/lets-that-double.tavl"
  too_much lets-that-double 'E209'
  { cat "$work/game"; repeat 5000 | sed 's/.*/let l& = edge/'; echo '}'; } >"$work/definitions.tavl"
  too_much definitions 'E308'
  { cat "$work/game"; repeat 600 | sed 's/.*/draw d& "D." { when some edge in corners }/'; echo '}'; } >"$work/rules.tavl"
  too_much rules 'E308'
  { cat "$work/game"; repeat 70 | sed 's/.*/phase p& { }/'; echo '}'; } >"$work/phases.tavl"
  too_much phases 'more than 64 phases'
  { cat "$work/game"; echo 'state s = 0 in 0 .. 3'; repeat 33 | sed 's/.*/offer o& "O." { accept set s = 1 }/'; echo '}'; } >"$work/offers.tavl"
  too_much offers 'more than 32 offers'
  { cat "$work/game"; repeat 30000 | sed 's/.*/forbid f& "F." { to g& }/'; echo '}'; } >"$work/unknown-names.tavl"
  too_much unknown-names 'E308'
  { cat "$work/game"; echo "param p = $(repeat 100000 | sed 's/.*/a |/' | tr -d '\n') b }"; } >"$work/values.tavl"
  too_much values 'E[0-9]*'
  { cat "$work/game"; echo "state s of site = 0 in 0 .. 3"; repeat 400 | sed 's/.*/state s& of site = 0 in 0 .. 3/'; echo '}'; } >"$work/states.tavl"
  sed -i 's/size 3/size 19/; s/rank(3)/rank(19)/; /|/d' "$work/states.tavl"
  too_much states 'E308'

  # Every code of the list is the code of some message here.
  sed -n 's/^DIAG([A-Z_]*, "\([EW][0-9]*\)".*/\1/p' ../../interp/base/diags.def >"$work/codes"
  missing=
  while read -r code; do
    grep -q "\[$code\]" ./*.txt "$work/missing.txt" "$work/big.txt" "$work/bytes.txt" || missing="$missing $code"
  done <"$work/codes"
  if [ -z "$missing" ]; then
    echo "ok errors/every-code"; passed=$((passed + 1))
  else
    echo "FAILED errors/every-code:$missing"; failed=$((failed + 1))
  fi

  # No message without line and column.
  if grep -hE '(error|warning)\[' ./*.txt | grep -vE '^[^ ]+:[0-9]+:[0-9]+: (error|warning)\[' >"$work/bare"; then
    echo "FAILED errors/places"; sed 's/^/    /' "$work/bare"; failed=$((failed + 1))
  else
    echo "ok errors/places"; passed=$((passed + 1))
  fi
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
