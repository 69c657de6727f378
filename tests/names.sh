#!/bin/sh
# Nothing in interp/ or grammar/ knows a game: no word of a title and no name of a piece, pocket or region of any
# file under rules/ or stdlib/ stands in the C code. Plain English words that some game also uses are let through.
plain=" and arms at edge english game hand head home idle long lost men middle nine of ours ring the "
passed=0 failed=0
words=$(
  {
    cat rules/*/*.tavl rules/*/house/*.tavl stdlib/*.tavl |
      sed -nE 's/^ *(piece|region|pocket) +([a-z_0-9]+( *, *[a-z_0-9]+)*).*/\2/p' | tr ',' '\n'
    sed -nE 's/^(game|house) "([^"]*)".*/\2/p' rules/*/*.tavl rules/*/house/*.tavl | tr 'A-Z -' 'a-z\n\n'
    for file in rules/*/*.tavl; do basename "$file" .tavl | tr -- '-' '\n'; done
  } | tr -d ' ' | grep -E '^[a-z_0-9]{2,}$' | sort -u
)
for word in $words; do
  case $plain in *" $word "*) continue ;; esac
  if hits=$(grep -rniw -- "$word" interp grammar/*.y grammar/*.l grammar/*.def); then
    echo "FAILED names: \`$word\` in the C code"; echo "$hits" | head -n 4; failed=$((failed + 1))
  else
    passed=$((passed + 1))
  fi
done
[ $passed -gt 50 ] && echo "ok names: $passed words of games are nowhere in the C code" || failed=$((failed + 1))
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
