#!/bin/bash
#
# versions.sh SERVER...
#	  Runs the suites that need a server against several PostgreSQL servers, the last commit of each.
#
# A SERVER is the prefix of an installation, or its pg_config; ted is installed
# there.  Ends with a table, a row per server: its version, and what has passed,
# failed and been skipped.  Logs are in build/versions/.
set -euo pipefail
unset MAKEFLAGS MAKELEVEL

cd "$(dirname "$0")/.."
suites=(regression pgTAP random hostile servers)
logs=$PWD/build/versions
tmp=$(mktemp -d --tmpdir=/tmp --suffix=.ted-versions)
trap 'rm -rf "$tmp"' EXIT
chmod 755 "$tmp"
mkdir -p "$logs"

# The results of one suite, of a log, or of all suites.
results()
{
  sed -n "s/^== $2, short form: \(.*\), [0-9]* s\$/\1/p" "$1" | grep . || echo "not run"
}

status=0
table="| server |$(printf ' %s |' "${suites[@]}") all |"$'\n'"| --- |${suites[*]/*/ --- |} --- |"
for server; do
  [[ ! -d $server ]] || server=$server/bin/pg_config
  version=$("$server" --version)
  log=$logs/${version// /-}.log
  rm -rf "$tmp/ted"
  mkdir "$tmp/ted"
  git archive HEAD | tar -x -C "$tmp/ted"
  echo "== $version: $log"
  PG_CONFIG=$server SCALE=1 "$tmp/ted/test/run.sh" short "${suites[@]}" >"$log" 2>&1 || status=1
  row="| $version |"
  for suite in "${suites[@]}"; do
    row+=" $(results "$log" "$suite") |"
  done
  table+=$'\n'"$row $(tail -n 1 "$log") |"
done
echo "$table"
exit $status
