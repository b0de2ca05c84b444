#!/bin/bash
#
# planted.sh PATCH... -- COMMAND...
#	  Plants one fault after another, and requires that COMMAND, which prints TAP, finds it.
#
# Prints TAP.
set -euo pipefail
cd "$(dirname "$0")/.."

patches=()
while [[ $1 != -- ]]; do
  patches+=("$1")
  shift
done
shift

number=0
failed=0
for patch in "${patches[@]}"; do
  number=$((number + 1))
  result=ok
  output=$(test/hostile/scratch.sh -p "$patch" "$@" 2>&1) || true
  if ! grep '^not ok' <<<"$output" | sed 's/^/# found by: /'; then
    result="not ok"
    failed=1
    tail -n 20 <<<"$output" | sed 's/^/# /'
  fi
  echo "$result $number - $(basename "$patch" .patch) is found"
done
echo "1..$number"
exit $failed
