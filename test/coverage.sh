#!/bin/bash
#
# coverage.sh
#	  Lines and branches of src that the suites of make test reach, and what each file leaves out.
#
# The extension is built with gcc's counters in a copy of the checkout, and installed; the
# processes of the servers, which another user runs, write what they count below that copy.
# SUITES names some of the suites.  The report is build/coverage/report.txt, and
# build/coverage/missed.txt has the lines that are not reached.  Install the extension again
# afterwards.
set -euo pipefail
unset MAKEFLAGS MAKELEVEL
cd "$(dirname "$0")/.."
# shellcheck source=test/setup.sh
. test/setup.sh coverage

out=$PWD/build/coverage
copy=$(mktemp -d /tmp/ted-coverage.XXXXXX)
trap 'rm -rf "$copy"' EXIT
rm -rf "$out"
mkdir -p "$out"
git ls-files -z | xargs -0 tar -c | tar -x -C "$copy"
chmod -R a+rwX "$copy"

read -ra suites <<<"${SUITES:-regression pgTAP random hostile servers}"
(umask 0 && COVERAGE=1 "$copy/test/run.sh" short core "${suites[@]}") >"$out/log" 2>&1 || true
tail -n 1 "$out/log"
cd "$copy"
gcovr --root "$copy" --filter src/ --gcov-ignore-parse-errors \
  --txt "$out/report.txt" --csv "$out/report.csv" --json-summary "$out/summary.json" --print-summary
awk -F, 'NR > 1 && $4 < 1 { printf "%s %d of %d lines missed\n", $1, $2 - $3, $2 }' "$out/report.csv" |
  sort -k2,2nr >"$out/missed.txt"
