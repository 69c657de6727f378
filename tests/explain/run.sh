#!/bin/sh
# Why moves are legal or not, word for word: each case of a .why file is a line `$ GAME [OPTION]… MOVE`,
# run as `tavl why` on the game beside it, and the answer that must follow. UPDATE=1 writes the answers anew.
cd "$(dirname "$0")/../.." || exit 2
TAVL=${TAVL:-build/tavl}
export LC_ALL=C.UTF-8
case $TAVL in /*) ;; *) TAVL=$PWD/$TAVL ;; esac
cd tests/explain || exit 2
new=$(mktemp) || exit 2
trap 'rm -f "$new"' EXIT
status=0
for file in *.why; do
  : >"$new"
  while IFS= read -r line; do
    case $line in
      '$ '*)
        if [ -s "$new" ] && [ -z "$comment" ]; then echo >>"$new"; fi
        comment=
        printf '%s\n' "$line" >>"$new"
        eval "set -- ${line#\$ }"
        game=$1; shift
        "$TAVL" why "$game.tavl" "$@" >>"$new" 2>&1 </dev/null ;;
      '#'*)
        if [ -s "$new" ]; then echo >>"$new"; fi
        comment=1
        printf '%s\n' "$line" >>"$new" ;;
    esac
  done <"$file"
  if [ -n "$UPDATE" ]; then cp "$new" "$file"; fi
  if diff -u "$file" "$new"; then echo "ok $file"
  else echo "not ok $file"; status=1; fi
done
exit $status
