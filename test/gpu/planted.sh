#!/bin/bash
#
# planted.sh
#	  Plants one fault after another in the GPU module and requires that the tests on a card find it.
#
# Prints TAP.  Each fault is planted in a copy of the checkout; the tests are those of run.sh
# that compare trees and joins with the core, with and without compute-sanitizer.
set -euo pipefail
cd "$(dirname "$0")/../.."

number=0
failed=0
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files -z | tar -c --null --files-from=- | tar -x -C "$copy"
# what is compiled already need not be compiled again
[[ ! -d build ]] || cp -rp build "$copy"

for patch in "$PWD"/test/gpu/planted/*.patch; do
  number=$((number + 1))
  patch -s -p1 -d "$copy" <"$patch"
  make -s -j"$(nproc)" -C "$copy" build/gpu_ted build/gpu_join
  found=
  for run in "gpu_ted limits 2000 1" "gpu_join check 5000 7" "gpu_join lists 5000 7"; do
    # shellcheck disable=SC2086
    compute-sanitizer --error-exitcode 9 --tool memcheck "$copy"/build/$run >/dev/null 2>&1 || found+=" ${run%% *}"
  done
  if [[ $found ]]; then
    echo "ok $number - $(basename "$patch" .patch) is found by$found"
  else
    echo "not ok $number - $(basename "$patch" .patch) is found"
    failed=1
  fi
  patch -s -R -p1 -d "$copy" <"$patch"
done
echo "1..$number"
exit $failed
