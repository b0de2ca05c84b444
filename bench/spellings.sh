#!/bin/bash
#
# spellings.sh
#	  Statements in the spellings that people use, beside the best plan that there is; see spellings.py.
set -euo pipefail
unset MAKEFLAGS MAKELEVEL
cd "$(dirname "$0")/.."

if [[ ${1:-} == inside ]]; then
  bench/names.py 200000 | psql -X -q -v ON_ERROR_STOP=1 -f bench/spellings.sql
  exec bench/spellings.py build/bench/spellings.csv
fi
# shellcheck source=test/setup.sh
. test/setup.sh join
make -s all PG_CONFIG="$PG_CONFIG"
install_extension
mkdir -p build/bench
test/with-server.sh -c 'autovacuum = off' bench/spellings.sh inside
