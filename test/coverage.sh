#!/bin/bash
#
# coverage.sh
#	  Lines and branches of src that the suites of make test reach, and what each file leaves out.
#
# The extension is built with gcc's counters in a copy of the checkout, and installed; the
# processes of the servers, which another user runs, write what they count below that copy.
# SUITES names some of the suites.  The report is build/coverage/report.txt; build/coverage/missed.txt
# has the lines that are not reached, beginning with the file that has most of them.  A run takes a
# quarter of an hour.  Install the extension again afterwards.
set -euo pipefail
unset MAKEFLAGS MAKELEVEL
cd "$(dirname "$0")/.."
# shellcheck source=test/setup.sh
. test/setup.sh coverage

out=$PWD/build/coverage
copy=$(mktemp -d --tmpdir=/tmp --suffix=.ted-coverage)
trap 'rm -rf "$copy"' EXIT
rm -rf "$out"
mkdir -p "$out"
git ls-files -z | xargs -0 tar -c | tar -x -C "$copy"
chmod -R a+rwX "$copy"

read -ra suites <<<"${SUITES:-regression pgTAP random hostile servers}"
(umask 0 && COVERAGE=1 "$copy/test/run.sh" short core "${suites[@]}") >"$out/log" 2>&1 || true
tail -n 1 "$out/log"
[[ -f $copy/ted.so ]] || fail "The extension could not be built, see $out/log."
cd "$copy"
gcovr -j "$(nproc)" --root "$copy" --filter src/ --gcov-ignore-parse-errors --txt "$out/report.txt" --csv "$out/report.csv" \
  --json "$out/lines.json" --json-summary "$out/summary.json" --print-summary
/usr/bin/python3 - "$out/lines.json" >"$out/missed.txt" <<'PYTHON'
import json
import sys

files = []
for file in json.load(open(sys.argv[1]))["files"]:
    lines = [line for line in file["lines"] if not line["gcovr/noncode"]]
    missed = [line["line_number"] for line in lines if line["count"] == 0]
    if missed:
        files.append((file["file"], missed, len(lines)))
for name, missed, count in sorted(files, key=lambda file: -len(file[1])):
    print(f"{name}: {len(missed)} of {count} lines")
    source = open(name, encoding="utf-8", errors="replace").read().split("\n")
    for number in missed:
        print(f"  {number:5} {source[number - 1]}")
PYTHON
