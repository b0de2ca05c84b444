#!/bin/bash
#
# concurrency.sh MINUTES
#	  Compares scans of one snapshot while others write, vacuum, reindex and crash.
#
# With PLANTED=1, plants each fault of test/concurrency/planted instead, for MINUTES at most,
# and fails unless the suite finds it.  Prints TAP.  PG_CONFIG names the server.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ${PLANTED:-} != 1 ]]; then
  exec /usr/bin/python3 test/concurrency/run.py "$1"
fi
exec test/planted.sh test/concurrency/planted/*.patch -- /usr/bin/python3 test/concurrency/run.py "$1"
