#!/bin/sh
# A small share of compare.sh, the same positions every time.
exec sh tests/models/compare.sh 8 8 0 1
