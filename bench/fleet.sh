#!/bin/bash
#
# fleet.sh
#	  Joins by the workers of Citus, a core each, beside one process of one server.
#
# PG_CONFIG selects an installation that has Citus and both extensions.  Makes a coordinator and
# WORKERS (3) workers in a directory of its own, each on a core of its own.  ROWS, a regular
# expression, chooses some of the joins; ROUNDS (3) is how often the workers join, of which
# the median is printed, with the processor seconds of all servers.  Files that are there are
# used as they are: build/bench/records_1000000.tsv, say, with ids and trees.
set -euo pipefail
unset MAKEFLAGS MAKELEVEL
cd "$(dirname "$0")/.."
workers=${WORKERS:-3}
rounds=${ROUNDS:-3}
port=${PORT:-7100}
data=$PWD/build/bench
bin=$("${PG_CONFIG:-pg_config}" --bindir)
PATH=$bin:$PATH
mkdir -p "$data"
dir=$(test/as-user.sh mktemp -d --tmpdir=/tmp --suffix=.ted)
export PGHOST=$dir PGDATABASE=postgres PGOPTIONS="-c client_min_messages=warning" PGCLIENTENCODING=UTF8

stop()
{
  for ((i = 0; i <= workers; i++)); do
    test/as-user.sh env LD_LIBRARY_PATH="${LD_LIBRARY_PATH:-}" "$bin/pg_ctl" -D "$dir/$i" -m immediate stop >/dev/null 2>&1 || true
  done
  rm -rf "$dir"
}
trap stop EXIT

start()
{
  test/as-user.sh env LD_LIBRARY_PATH="${LD_LIBRARY_PATH:-}" bash -c "
    '$bin/initdb' -D '$dir/$1' -U postgres --no-sync -E UTF8 --locale=C -A trust >/dev/null
    cat >>'$dir/$1/postgresql.conf' <<CONF
port = $((port + $1))
listen_addresses = '127.0.0.1'
unix_socket_directories = '$dir'
shared_preload_libraries = 'citus'
jit = off
fsync = off
max_connections = 300
max_prepared_transactions = 200
max_wal_size = '20GB'
shared_buffers = '1GB'
work_mem = '${WORK_MEM:-256MB}'
citus.node_conninfo = 'sslmode=disable'
citus.enable_statistics_collection = off
ted.gpu = off
CONF
    taskset -c $(($1 % $(nproc))) '$bin/pg_ctl' -D '$dir/$1' -l '$dir/$1.log' -w start >/dev/null"
  psql -qX -U postgres -p $((port + $1)) -c 'CREATE EXTENSION citus' >/dev/null
}

sql()
{
  psql -XqAt -U postgres -p "$port" -v ON_ERROR_STOP=1 "$@"
}

# Processor seconds of all servers so far.
processor_seconds()
{
  cat /proc/[0-9]*/stat 2>/dev/null | awk -v ticks="$(getconf CLK_TCK)" \
    '/\(postgres\)/ { sub(/.*\) /, ""); s += $12 + $13 + $14 + $15 } END { printf "%.2f\n", s / ticks }'
}

# Seconds of the clock and of processors that statements take.
seconds()
{
  local processor clock
  processor=$(processor_seconds)
  clock=$(date +%s.%N)
  sql "$@" >/dev/null
  echo "$(date +%s.%N) $clock $(processor_seconds) $processor" | awk '{ printf "%.3f %.2f\n", $1 - $2, $3 - $4 }'
}

# The row with the median of the clock.
median()
{
  sort -g | awk '{ v[NR] = $0 } END { print v[int((NR + 1) / 2)] }'
}

# load NAME TYPE MAKE...: a table of one server, `one`, and one with shards, `docs`.
loaded=
load()
{
  local file=$data/$1.tsv
  [[ $loaded != "$1" ]] || return 0
  [[ -e $file ]] || "${@:3}" >"$file"
  sql -c "DROP TABLE IF EXISTS one, docs" -c "CREATE TABLE one (id bigint PRIMARY KEY, doc $2)" \
    -c "CREATE TABLE docs (id bigint PRIMARY KEY, doc $2)" -c "SELECT create_distributed_table('docs', 'id')" \
    -c "\\copy one FROM '$file'" -c "\\copy docs FROM '$file'" -c "VACUUM ANALYZE one" -c "VACUUM ANALYZE docs" >/dev/null
  loaded=$1
}

# searches TABLE CLAUSE: statements that search for 20 of the records, in an index
searches()
{
  sql -c "SELECT format('SELECT count(*) FROM (SELECT id FROM $1 %s) found;', format(\$\$$2\$\$, doc))
    FROM one ORDER BY hashint8(id) LIMIT 20"
}

# row NAME STATEMENT-OF-ONE STATEMENT-OF-WORKERS
row()
{
  local one all
  [[ $1 =~ ${ROWS:-.} ]] || return 0
  one=$(for ((i = 0; i < ${ROUNDS_OF_ONE:-1}; i++)); do
    seconds -c "SET max_parallel_workers_per_gather = 0" -c "DROP TABLE IF EXISTS made" -c "$2"
  done | median)
  all=$(for ((i = 0; i < rounds; i++)); do seconds -c "DROP TABLE IF EXISTS found" -c "$3"; done | median)
  echo "\"$1\",$workers,${one/ /,},${all/ /,}" >>"$csv"
  echo "$1 $one $all" | awk -F'[ ]' '{ n = NF
    name = $1; for (i = 2; i <= n - 4; i++) name = name " " $i
    printf "| %s | %.2f s | %.2f s | %.1f | %.1f |\n", name, $(n - 3), $(n - 1), $(n - 3) / $(n - 1), $n / $(n - 2) }'
}

for ((i = 0; i <= workers; i++)); do start "$i" & done
wait
sql -c "SELECT citus_set_coordinator_host('127.0.0.1', $port)" >/dev/null
for ((i = 1; i <= workers; i++)); do sql -c "SELECT citus_add_node('127.0.0.1', $((port + i)))" >/dev/null; done
sql -c "CREATE EXTENSION ted_distributed CASCADE"
csv=$data/fleet-$workers.csv
echo "case,workers,one_seconds,one_processor_seconds,workers_seconds,workers_processor_seconds" >"$csv"
echo "| $workers workers | one process | workers | times faster | processor time |"
echo "| --- | --- | --- | --- | --- |"

within="SELECT count(*) FROM one a JOIN one b ON a.id < b.id AND tree_within(a.doc, b.doc, 2)"
for records in ${RECORDS:-5000 100000 1000000}; do
  [[ "$records records" =~ ${ROWS:-.} ]] || continue
  load "records_$records" tree bench/records.py "$records"
  row "$records records, pairs counted" "$within" "SELECT tree_within_count_distributed('docs', 2)"
  ((records < 1000000)) && continue
  row "$records records, pairs in a table" \
    "CREATE TABLE made AS SELECT a.id AS left_id, b.id AS right_id, tree_edit_distance(a.doc, b.doc) FROM one a JOIN one b ON a.id < b.id AND tree_edit_distance(a.doc, b.doc) <= 2" \
    "SELECT * FROM tree_within_pairs_distributed('docs', 2, result => 'found')"
  row "$records records, clusters" "CREATE TABLE made AS SELECT id, tree_within_cluster(doc, 2) OVER (ORDER BY id) FROM one" \
    "SELECT tree_within_cluster_distributed('docs', 2, 'found')"
done
if [[ "1000000 records, searches" =~ ${ROWS:-.} ]]; then
  load records_1000000 tree bench/records.py 1000000
  sql -c "CREATE INDEX ON one USING gist (doc)" -c "CREATE INDEX ON docs USING gist (doc)"
  for clause in "WHERE tree_within(doc, %L, 2)" "ORDER BY doc <-> %L LIMIT 5"; do
    row "1000000 records, searches, $clause" "$(searches one "$clause")" "$(searches docs "$clause")"
  done
  sql -c "DROP INDEX one_doc_idx" -c "DROP INDEX docs_doc_idx"
fi
# shellcheck disable=SC2016
# a tenth of the records are near copies of one
if [[ "copies of one record" =~ ${ROWS:-.} ]]; then
  load copies tree awk -F'\t' '{ print }
    NR == 1 { id = $1; copied = substr($2, 1, length($2) - 1) }
    NR % 9 == 0 { print id + 1e9 + NR "\t" copied "{copy" NR "}}" }' "$data/records_${COPIES_OF:-100000}.tsv"
  row "copies of one record, pairs counted" "$within" "SELECT tree_within_count_distributed('docs', 2)"
fi
if [[ "names" =~ ${ROWS:-.} ]]; then
  load "names_${NAMES:-1000000}" text bench/names.py "${NAMES:-1000000}"
  row "${NAMES:-1000000} names, pairs counted" "SELECT count(*) FROM one a JOIN one b ON a.id < b.id AND lcs_similar(a.doc, b.doc, 0.8)" \
    "SELECT lcs_similar_count_distributed('docs', 0.8)"
fi
