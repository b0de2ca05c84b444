#!/bin/bash
#
# valgrind.sh [TEST...]
#	  The regression tests, or some of them, in a server whose processes run under valgrind's memcheck.
#
# valgrind.supp has what PostgreSQL itself does.  Prints each error, and fails if there is one; a log
# for each process with errors stays in build/valgrind/.  A server with -DUSE_VALGRIND (PG_CONFIG)
# lets valgrind see each piece of its memory contexts, another one only the blocks of these.
# A test takes 20 to 100 times as long as without; without names, that is hours.
set -euo pipefail
unset MAKEFLAGS MAKELEVEL
cd "$(dirname "$0")/.."

if [[ ! $(command -v valgrind) ]]; then
  echo "There is no valgrind (Debian: valgrind)." >&2
  exit 1
fi
export VALGRIND_LOGS=$PWD/build/valgrind VALGRIND_SUPPRESSIONS=$PWD/test/valgrind.supp
rm -rf "$VALGRIND_LOGS"
mkdir -p "$VALGRIND_LOGS"
chmod 777 "$VALGRIND_LOGS"
chosen=()
(($# == 0)) || chosen=("REGRESS=setup $*" ISOLATION=)
status=0
# shellcheck disable=SC2016
test/hostile/scratch.sh -v test/with-server.sh -c 'jit = off' -c 'statement_timeout = 0' \
  bash -c 'make -s installcheck with_llvm=no PG_CONFIG="$PG_CONFIG" "$@"' valgrind "${chosen[@]}" || status=1
find "$VALGRIND_LOGS" -size 0 -delete
cat "$VALGRIND_LOGS"/*.log 2>/dev/null && status=1
exit $status
