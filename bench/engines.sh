#!/bin/bash
#
# engines.sh
#	  Self-joins by one core, by PROCESSES processes (8), and by a GPU, if the server finds one.
#
# Prints the median of ROUNDS rounds (3), in seconds of the wall clock, and what
# `ted.gpu = auto` chooses in a session that has used the GPU before.  JOINS, a
# regular expression, chooses some of them; RECORDS is the number of records and of names
# (1,000,000).
set -euo pipefail
unset MAKEFLAGS MAKELEVEL
cd "$(dirname "$0")/.."
# shellcheck source=bench/server.sh
. bench/server.sh
rounds=${ROUNDS:-3}
processes=${PROCESSES:-8}

if [[ ${1:-} != inside ]]; then
  # shellcheck source=test/setup.sh
  . test/setup.sh join
  make -s all PG_CONFIG="$PG_CONFIG"
  install_extension
  test/with-server.sh bench/engines.sh inside
  exit
fi
export PGCLIENTENCODING=UTF8 PGOPTIONS="-c client_min_messages=warning"

joins=(
  "pyast|tree_edit_distance(a.doc, b.doc) <= 3"
  "pyast|tree_edit_distance(a.doc, b.doc) <= 10"
  "pyast|tree_edit_distance(a.doc, b.doc) <= 20"
  "mime|tree_edit_distance(a.doc, b.doc) <= 60"
  "mime|tree_edit_distance(a.doc, b.doc) <= 100"
  "cldr_calendar|tree_similarity(a.doc, b.doc) >= 0.6"
  "records|tree_edit_distance(a.doc, b.doc) <= 2"
  "names|lcs_similarity(a.doc, b.doc) >= 0.8"
)

# Makes a table of trees or names, unless it is there.
load()
{
  [[ -z $(sql -c "SELECT to_regclass('trees.$1')") ]] || return 0
  sql -c "CREATE SCHEMA IF NOT EXISTS trees" \
    -c "CREATE TABLE trees.$1 (id bigint, doc $([[ $1 == names ]] && echo text || echo tree))"
  if [[ $1 == names ]]; then
    /usr/bin/python3 bench/names.py "${RECORDS:-1000000}" | sql -c "COPY trees.names FROM STDIN"
  elif [[ $1 == records ]]; then
    /usr/bin/python3 bench/records.py "${RECORDS:-1000000}" | sql -c "COPY trees.records FROM STDIN"
  else
    test/collections/load.sh "$1"
    sql -c "INSERT INTO trees.$1 SELECT id, doc::tree FROM $1"
  fi
  sql -c "ALTER TABLE trees.$1 SET (parallel_workers = $((processes - 1)))" -c "VACUUM ANALYZE trees.$1"
}

# Seconds of a join, the median, with a setting of ted.gpu and a number of workers; what computed.
measure()
{
  local table=$1 clause=$2 gpu=$3 workers=$4
  local query="SELECT count(*) FROM trees.$table a JOIN trees.$table b ON $clause WHERE a.id < b.id"
  {
    echo "SET jit = off; SET work_mem = '8GB'; SET ted.max_memory = '16GB'; SET ted.gpu = $gpu;"
    echo "SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET max_parallel_workers_per_gather = $workers;"
    [[ $gpu == off ]] || echo "SET ted.gpu = on; SELECT tree_edit_distance('{a}', '{b}') \\g /dev/null
      SET ted.gpu = $gpu;"
    for ((round = 0; round < rounds; round++)); do
      echo "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) $query;"
    done
  } | sql 2>&1 | awk '/Execution Time/ { print $3 / 1000 } /Engine:/ { engine = $2 } /ERROR/ { print > "/dev/stderr" }
    END { print engine > "/dev/fd/3" }' 3>"$engine" | sort -n | sed -n "$(((rounds + 1) / 2))p"
}

sql -c "CREATE EXTENSION IF NOT EXISTS ted"
engine=$(mktemp)
trap 'rm -f "$engine"' EXIT
printf '| self-join | rows | one core | %d processes | GPU | auto | |\n| --- | --- | --- | --- | --- | --- | --- |\n' "$processes"
for join in "${joins[@]}"; do
  [[ $join =~ ${JOINS:-} ]] || continue
  table=${join%%|*} clause=${join#*|}
  load "$table"
  rows=$(sql -c "SET max_parallel_workers_per_gather = 0; SET work_mem = '8GB'; SET ted.max_memory = '16GB'" \
    -c "SELECT count(*) FROM trees.$table a JOIN trees.$table b ON $clause WHERE a.id < b.id")
  core=$(measure "$table" "$clause" off 0)
  parallel=$(measure "$table" "$clause" off $((processes - 1)))
  gpu=$(measure "$table" "$clause" on 0 2>/dev/null || true)
  auto=$(measure "$table" "$clause" auto $((processes - 1)) 2>/dev/null || true)
  printf '| `%s`, `%s` | %s | %.2f s | %.2f s | %s | %s | %s |\n' "$table" "$clause" "$rows" \
    "$core" "$parallel" "${gpu:+$gpu s}" "${auto:+$auto s}" "$(cat "$engine")"
done
