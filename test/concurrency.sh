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
number=0
failed=0
for patch in test/concurrency/planted/*.patch; do
  number=$((number + 1))
  result=ok
  output=$(test/hostile/scratch.sh -p "$patch" /usr/bin/python3 test/concurrency/run.py "$1") || true
  if ! grep '^not ok' <<<"$output" | sed 's/^/# found by: /'; then
    result="not ok"
    failed=1
    tail -n 20 <<<"$output" | sed 's/^/# /'
  fi
  echo "$result $number - $(basename "$patch" .patch) is found"
done
echo "1..$number"
exit $failed
