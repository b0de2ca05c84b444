#!/bin/bash
#
# planted.sh [PATCH...]
#	  Plants one fault after another and sees to it that the suite finds it.
#
# Prints TAP.  Without arguments, all of planted/ are taken.
set -euo pipefail

cd "$(dirname "$0")/../.."
shopt -s nullglob
patches=("$@")
((${#patches[@]} > 0)) || patches=(test/hostile/planted/*.patch)
log=$(mktemp)
trap 'rm -f "$log"' EXIT

number=0
failed=0
for patch in "${patches[@]}"; do
  number=$((number + 1))
  result=ok
  test/hostile/scratch.sh -p "$patch" \
    test/with-server.sh /usr/bin/python3 test/hostile/run.py >"$log" 2>&1 || true
  if grep -Eq '^# .*(terminated by signal|TRAP:|AddressSanitizer|HF000:|the session has grown)' "$log"; then
    grep '^not ok' "$log" | sed 's/^/# found by: /'
  else
    result="not ok"
    failed=1
    tail -n 20 "$log" | sed 's/^/# /'
  fi
  echo "$result $number - $(basename "$patch" .patch) is found"
done
echo "1..$number"
exit $failed
