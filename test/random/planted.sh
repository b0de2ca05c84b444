#!/bin/bash
#
# planted.sh [PATCH...]
#	  Plants one fault of joins after another and sees to it that the random tests find it.
#
# Each fault gets three seeds.  Prints TAP.  Without arguments, all of planted/ are taken.
set -euo pipefail

cd "$(dirname "$0")/../.."
shopt -s nullglob
patches=("$@")
((${#patches[@]} > 0)) || patches=(test/random/planted/*.patch)
export ONLY="cell_checks cluster_checks"

number=0
failed=0
for patch in "${patches[@]}"; do
  number=$((number + 1))
  result=ok
  # shellcheck disable=SC2016
  output=$(test/hostile/scratch.sh -p "$patch" test/with-server.sh bash -c \
    'for seed in 1 2 3; do SEED=$seed /usr/bin/python3 test/random/run.py || break; done' 2>&1) || true
  if ! grep '^not ok' <<<"$output" | sed 's/^/# found by: /'; then
    result="not ok"
    failed=1
    tail -n 20 <<<"$output" | sed 's/^/# /'
  fi
  echo "$result $number - $(basename "$patch" .patch) is found"
done
echo "1..$number"
exit $failed
