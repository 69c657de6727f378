#!/bin/sh
# The examples of grammar/language.md are tests.
#   ```tavl         a complete file: checked without any message, and its scenarios are played
#   ```tavl-items   items of a house over the game "Hall" of the same document: checked and played
#   ```tavl-error   a complete file, called example.tavl, whose messages are in the ```text block after it
# The tables of words, of built-in names and of codes are made from the .def files. `tests/language.sh update` writes
# messages and tables into the document.
cd "$(dirname "$0")/.." || exit 2
TAVL=$(realpath "${TAVL:-build/tavl}")
document=grammar/language.md
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export TAVL_HOME="$PWD"

# ---- the examples, one file each, named after their line ----
awk -v work="$work" '
  /^```tavl-error$/ { dir = sprintf("%s/error-%04d", work, NR); system("mkdir " dir); out = dir "/example.tavl"; wanted = dir "/wanted"; next }
  /^```text$/ && wanted { out = wanted; printf "" > out; wanted = ""; next }
  /^```tavl$/ { out = sprintf("%s/line-%04d.tavl", work, NR); next }
  /^```tavl-items$/ { out = sprintf("%s/line-%04d.tavl", work, NR); items = 1; print "house \"Line " NR "\" extends \"Hall\" {" > out; next }
  /^```/ { if (items) print "}" > out; if (out) close(out); out = ""; items = 0; next }
  out { print > out }' "$document"

# ---- the tables ----
names() {
  echo '| name | is | meaning |'
  echo '|---|---|---|'
  awk '
    BEGIN { split("S sites P pieces Y players W ways N number C condition V value", t, " "); for (i = 1; i < 15; i += 2) type[t[i]] = t[i + 1] }
    /^NAME\(/ {
      split($0, q, "\""); word = q[2]; form = q[4]; help = q[6]; split(q[5], c, ","); gsub(/ /, "", c[2])
      text = ""
      if (form ~ /P/) text = "`" word "`"
      if (form ~ /O/) text = text (text ? ", " : "") "`" word " of X`"
      if (form ~ /C/) text = text (text ? ", " : "") "`" word "(…)`"
      gsub(/\|/, "\\|", help)
      print "| " text " | " type[c[2]] " | " help " |" }' interp/front/names.def
}
codes() {
  echo '| code | what it means |'
  echo '|---|---|'
  awk -F'"' '/^DIAG\(/ { gsub(/\|/, "\\|", $6); print "| " $2 " | " $6 " |" }' interp/base/diags.def | sort
}
words() {
  echo '| where | words |'
  echo '|---|---|'
  awk -F'"' '/^KEYWORD\(/ { class = $4; if (!(class in list)) order[++n] = class
      list[class] = list[class] (list[class] ? " " : "") "`" $2 "`" }
    END { for (i = 1; i <= n; i++) print "| " order[i] " | " list[order[i]] " |" }' grammar/keywords.def
}
words >"$work/words"
names >"$work/names"
codes >"$work/codes"

# ---- the document with messages and tables put in ----
say() { (cd "$1" && "$TAVL" check example.tavl 2>&1); }
for d in "$work"/error-*; do [ -d "$d" ] && say "$d" >"$d/said"; done
awk -v work="$work" '
  function put(file,  line) { while ((getline line < file) > 0) print line; close(file) }
  /^```tavl-error$/ { said = sprintf("%s/error-%04d/said", work, NR) }
  /^```text$/ && said { print; put(said); said = ""; skip = 1; next }
  /^```$/ && skip { skip = 0 }
  /^<!-- (names|codes|words) -->$/ { print; table = $2; print ""; put(work "/" table); dropping = 1; next }
  dropping && (/^$/ || /^\|/) { next }
  dropping { print ""; dropping = 0 }
  !skip { print }' "$document" >"$work/document"
if [ "$1" = update ]; then
  cmp -s "$work/document" "$document" || cp "$work/document" "$document"
fi

# ---- the tests ----
verdict() { # status, name
  if [ "$1" -eq 0 ]; then echo "ok $2"; else echo "not ok $2"; sed 's/^/#   /' "$work/out"; fi
}
for f in "$work"/line-*.tavl; do
  name="language.md:$(basename "$f" .tavl | sed 's/line-0*//')"
  if grep -q '^house "Line ' "$f"; then strict=; else strict=--strict; fi
  "$TAVL" check $strict "$f" >"$work/out" 2>&1
  verdict $? "$name is well formed"
  grep -q '^ *scenario' "$f" || continue
  "$TAVL" test "$f" >"$work/out" 2>&1
  verdict $? "$name plays as it says"
done
diff "$document" "$work/document" >"$work/out" 2>&1
verdict $? "language.md: messages and tables are up to date"

# ---- the README: its files are well formed and play, what it says that `why` answers is answered ----
awk -v work="$work" '
  /^```tavl$/ { out = sprintf("%s/readme-%04d.tavl", work, NR); next }
  /^```/ { if (out) close(out); out = ""; next }
  out { print > out }' README.md
for f in "$work"/readme-*.tavl; do
  name="README.md:$(basename "$f" .tavl | sed 's/readme-0*//')"
  "$TAVL" check --strict "$f" >"$work/out" 2>&1
  verdict $? "$name is well formed"
  "$TAVL" test "$f" >"$work/out" 2>&1
  verdict $? "$name plays as it says"
done
sed -n '/^\$ build\/tavl why tavlei/,/^[$`]/p' README.md | awk 'NR > 1 && /^[$`]/ { exit } NR > 1' >"$work/wanted"
sed -n 's/^\$ build\/tavl why tavlei/why tavlei/p' README.md | while read -r line; do
  # shellcheck disable=SC2086
  "$TAVL" $line
done 2>&1 | diff "$work/wanted" - >"$work/out" 2>&1
verdict $? "README.md: the answer of why is the program's"

# ---- the manual page ----
: >"$work/out"
for command in $(awk -F'[(,]' '/^COMMAND\(/ { print $2 }' interp/face/commands.def); do
  grep -q "^\.BI $command " grammar/tavl.1 || echo "tavl.1 does not name the command $command" >>"$work/out"
done
test ! -s "$work/out"
verdict $? "tavl.1 names every command"
