#!/bin/sh
# The reference, the interpreted kernel and machine code agree: all games with all options by the kernel, a few
# games by machine code too (each of those is compiled when it is not in the cache).
equal=${BUILD:-build}/tests/equal/equal
export TAVL_HOME="$PWD"
"$equal" -n 1 -t 7 || exit 1
if [ -z "$NO_NATIVE" ]; then "$equal" -N -d -n 2 -t 40 tavlei hypernardy nordy-loki; fi
