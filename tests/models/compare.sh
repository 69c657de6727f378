#!/bin/sh
# The program against the independent models of tests/models: default options, every value of every option, mixtures.
#
#   tests/models/compare.sh [PLAYED] [SCATTERED] [MIXTURES] [SEED]
#
# PLAYED positions of random play and as many SCATTERED ones as said, for each set of options. Needs python3.
: "${TAVL:=build/tavl}"
export TAVL
cd "$(dirname "$0")/../.." || exit 2
if ! command -v python3 >/dev/null 2>&1; then
  echo "ok models: skipped, there is no python3"
  exit 0
fi
exec python3 tests/models/compare.py all --play "${1:-200}" --scatter "${2:-200}" --mix "${3:-10}" --seed "${4:-1}"
