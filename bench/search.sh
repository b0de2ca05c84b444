#!/bin/bash
#
# search.sh
#	  What stored trees and their indexes take, searches beside sequential ones, and joins with little memory.
#
# Times are processor time of one process with default settings, medians of
# ROUNDS rounds after one that is not counted: the first access of a process to
# a page of the server's memory takes longer.  PARTS, a regular expression,
# chooses some of the parts collections, searching, nearest, subtrees and
# work_mem.  QUERIES documents of a collection are searched for; DOCUMENTS
# restricts collections to their first documents; RECORDS are joined with more
# and with less memory.
set -euo pipefail
unset MAKEFLAGS MAKELEVEL
cd "$(dirname "$0")/.."
# shellcheck source=bench/server.sh
. bench/server.sh
rounds=${ROUNDS:-3}
queries=${QUERIES:-40}
documents=${DOCUMENTS:-1000000}
records=${RECORDS:-300000}

if [[ ${1:-} != inside ]]; then
  # shellcheck source=test/setup.sh
  . test/setup.sh join
  make -s all PG_CONFIG="$PG_CONFIG"
  install_extension
  test/with-server.sh bench/search.sh inside
  exit
fi
export PGCLIENTENCODING=UTF8 PGOPTIONS="-c client_min_messages=warning -c max_parallel_workers_per_gather=0"

# Loads documents of a collection, the queries, and a table for an index by each method: load COLLECTION METHOD...
load()
{
  local collection=$1 method
  shift
  [[ $(sql -c "SELECT to_regclass('$collection')") ]] || test/collections/load.sh "$collection"
  sql <<SQL
DROP TABLE IF EXISTS docs, docs_gin, docs_gist, docs_profile, queries;
CREATE TABLE docs AS SELECT id, doc::tree FROM $collection ORDER BY id LIMIT $documents;
CREATE TABLE queries AS SELECT * FROM docs ORDER BY md5(id::text) LIMIT $queries;
VACUUM ANALYZE docs, queries;
SQL
  for method; do
    sql -c "CREATE TABLE docs_$method AS TABLE docs" -c "VACUUM ANALYZE docs_$method"
  done
}

# Begins a table: table PART TITLE COLUMN...
table()
{
  part=$1
  printf '\n%s\n\n' "$2"
  shift 2
  columns=("$@")
  printf '| |%s\n| --- |%s\n' "$(printf ' %s |' "$@")" "$(printf ' --- |%.0s' "$@")"
}

# Prints a row, and adds a line of CSV for each value: row NAME VALUE...
row()
{
  local name=$1 column=0 value
  shift
  printf '| %s |%s\n' "$name" "$(printf ' %s |' "$@")"
  for value; do
    [[ -z $value ]] || echo "$part,\"$name\",\"${columns[column]}\",$value" >>build/bench/search.csv
    column=$((column + 1))
  done
}

# Seconds of a query after some statements: seconds STATEMENTS QUERY
seconds()
{
  local all=$2 round
  for ((round = 1; round < rounds; round++)); do
    all+="; $2"
  done
  server_seconds "$1; $2" "$all" | spread | awk '{ print $1 }'
}

# Milliseconds for each query: per_query STATEMENTS QUERY
per_query()
{
  seconds "$@" | awk -v queries="$queries" '{ ms = $1 * 1000 / queries; printf ms < 100 ? "%.3g" : "%.0f", ms }'
}

# The answer of a query after some statements; ends the script where it is not the one expected:
# answer NAME STATEMENTS QUERY [EXPECTED]
answer()
{
  local got
  got=$(sql -c "$2" -c "$3")
  if [[ ${4:-$got} != "$got" ]]; then
    echo "$1: $got instead of $4" >&2
    exit 1
  fi
  echo "$got"
}

# Megabytes of a table without its indexes, or of an index.
size_of()
{
  sql -c "SELECT round(pg_table_size('$1') / 1e6, 1)"
}

# Each query is searched for by itself.
alone="SET ted.enable_join = off; SET ted.enable_nearest = off"
sequential="$alone; SET enable_indexscan = off; SET enable_bitmapscan = off"
by_index="$alone; SET enable_seqscan = off"

# within TABLE DISTANCE, nearest TABLE COUNT, candidates NUMBER: the statements, with the sum of their distances
within()
{
  echo "SELECT count(*) FROM queries q, LATERAL (SELECT FROM $1 d WHERE tree_within(d.doc, q.doc, $2) OFFSET 0) n"
}
nearest()
{
  echo "SELECT sum(distance) FROM queries q, LATERAL (
    SELECT d.doc <-> q.doc AS distance FROM $1 d ORDER BY d.doc <-> q.doc LIMIT $2) n"
}
candidates()
{
  echo "SELECT sum(distance) FROM queries q, LATERAL (
    SELECT c.doc <-> q.doc AS distance
    FROM (SELECT * FROM docs_profile d ORDER BY d.doc <#> q.doc LIMIT $1) c ORDER BY c.doc <-> q.doc LIMIT 10) n"
}

# How many rows an index finds for each row of the result: found_per_row TABLE DISTANCE
found_per_row()
{
  sql <<SQL |
$by_index;
SELECT format('EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF)
  SELECT FROM $1 WHERE tree_within(doc, %L, $2)', doc) FROM queries \\gexec
SQL
    awk '/Rows Removed/ { found += $NF }
      /Index Scan using|Heap Scan on/ { sub(/.*rows=/, ""); found += $1; rows += $1 }
      END { printf "%.2f", found / rows }'
}

# What reading all nodes of a stored tree takes, and decoding it for a distance that is then refused.
collections()
{
  local name size depth distance nodes
  table collections "Collections; nanoseconds per node beside those of \`tree_size\`" "documents" "nodes per document" \
    "bytes per node: text" "stored" "ns: \`tree_depth\`" "ns: \`tree_edit_distance_less_equal(doc, '{a}', 0)\`"
  for name in mime iso3166_2 pyast cldr_unit; do
    load "$name"
    size=$(seconds "$alone" "SELECT sum(tree_size(doc)) FROM docs")
    depth=$(seconds "$alone" "SELECT sum(tree_depth(doc)) FROM docs")
    distance=$(seconds "$alone" "SELECT sum(tree_edit_distance_less_equal(doc, '{a}', 0)) FROM docs")
    nodes=$(sql -c "SELECT sum(tree_size(doc)) FROM docs")
    IFS='|' read -ra values < <(sql -c "SELECT count(*), round(avg(tree_size(doc)), 1),
      round(sum(octet_length(doc::text))::numeric / $nodes, 2), round(sum(pg_column_size(doc))::numeric / $nodes, 2)
      FROM docs")
    row "$name" "${values[@]}" "$(awk "BEGIN { printf \"%.1f\", ($depth - $size) * 1e9 / $nodes }")" \
      "$(awk "BEGIN { printf \"%.1f\", ($distance - $size) * 1e9 / $nodes }")"
  done
}

searching()
{
  local method k rows
  local -A build
  load pyast gin gist
  for method in gin gist; do
    build[$method]=$(build_time "RESET maintenance_work_mem" \
      "CREATE INDEX docs_${method}_index ON docs_$method USING $method (doc)")
  done
  table searching "Python functions: milliseconds per query, and rows that the index finds per row of the result" \
    "sequential" "GIN" "GIN: rows" "GiST" "GiST: rows"
  for k in 1 3; do
    rows=$(answer "within $k" "$sequential" "$(within docs "$k")")
    for method in gin gist; do
      answer "within $k, $method" "$by_index" "$(within "docs_$method" "$k")" "$rows" >/dev/null
    done
    row "distance at most $k" "$(per_query "$sequential" "$(within docs "$k")")" \
      "$(per_query "$by_index" "$(within docs_gin "$k")")" "$(found_per_row docs_gin "$k")" \
      "$(per_query "$by_index" "$(within docs_gist "$k")")" "$(found_per_row docs_gist "$k")"
  done
  rows=$(answer "nearest 5" "$sequential" "$(nearest docs 5)")
  answer "nearest 5, gist" "$by_index" "$(nearest docs_gist 5)" "$rows" >/dev/null
  row "the nearest 5" "$(per_query "$sequential" "$(nearest docs 5)")" "" "" \
    "$(per_query "$by_index" "$(nearest docs_gist 5)")" ""
  row "build, ms" "" "${build[gin]}" "" "${build[gist]}" ""
  row "size of the table and the indexes, MB" "$(size_of docs)" "$(size_of docs_gin_index)" "" "$(size_of docs_gist_index)" ""
}

# A document of the candidates is found if it is not farther than the exact tenth.
nearest_ten()
{
  local name number share
  local numbers=(10 30 100 300 1000) titles=() values
  for number in "${numbers[@]}"; do
    titles+=("$number candidates, %" "$number, ms")
  done
  table nearest "The nearest ten, by candidates: share found, and milliseconds per query" "documents" "exact, ms" "${titles[@]}"
  for name in pyast mime cldr_unit; do
    load "$name" gist profile
    sql <<SQL
CREATE INDEX ON docs_gist USING gist (doc);
CREATE INDEX ON docs_profile USING profile (doc);
DROP TABLE IF EXISTS exact;
$by_index;
CREATE TABLE exact AS SELECT q.id, max(distance) AS tenth FROM queries q, LATERAL (
  SELECT d.doc <-> q.doc AS distance FROM docs_gist d ORDER BY d.doc <-> q.doc LIMIT 10) n GROUP BY q.id;
SQL
    values=("$(sql -c "SELECT count(*) FROM docs")" "$(per_query "$by_index" "$(nearest docs_gist 10)")")
    for number in "${numbers[@]}"; do
      if ((number > values[0])); then
        values+=("" "")
        continue
      fi
      share=$(candidates "$number")
      share="SELECT round(count(*) FILTER (WHERE distance <= tenth) * 10.0 / $queries, 1)
        FROM queries q JOIN exact USING (id)${share#*FROM queries q}"
      values+=("$(sql -c "$by_index" -c "$share")" "$(per_query "$by_index" "$(candidates "$number")")")
    done
    row "$name" "${values[@]}"
  done
}

subtrees()
{
  local query
  load pyast
  sql -c "CREATE TABLE forest AS
    SELECT ('{functions' || string_agg(doc::text, '' ORDER BY id) || '}')::tree AS doc FROM docs" \
    -c "CREATE TABLE part AS SELECT doc FROM docs WHERE tree_size(doc) = 26 ORDER BY id LIMIT 1"
  query="SELECT sum(distance) FROM forest f, part p, tree_subtree_nearest(p.doc, f.doc, 5)"
  table subtrees "The 5 subtrees nearest to a Python function of 26 nodes in all functions below one root" "nodes" "ms"
  row "\`tree_subtree_nearest\`" "$(sql -c "SELECT tree_size(doc) FROM forest")" \
    "$(seconds "$alone" "$query" | awk '{ printf "%.3g", $1 * 1000 }')"
}

work_mem()
{
  local name rows
  local pairs="FROM records a JOIN records b ON a.id < b.id AND"
  local -A joins=(
    ["distance at most 2"]="SELECT count(b.id) $pairs tree_within(a.doc, b.doc, 2)"
    ["left join"]="SELECT count(b.id) ${pairs/JOIN/LEFT JOIN} tree_within(a.doc, b.doc, 2)"
    ["\`tree_within_pairs\`"]="SELECT cardinality(tree_within_pairs(id, doc, 2)) FROM records"
    ["similarity at least 0.9"]="SELECT count(b.id) $pairs tree_similar(a.doc, b.doc, 0.9)"
  )
  sql -c "CREATE TABLE records (id integer, doc tree)"
  /usr/bin/python3 bench/records.py "$records" | sql -c "COPY records FROM STDIN"
  sql -c "VACUUM ANALYZE records"
  table work_mem "Self-joins of $records records: seconds with \`work_mem\`" "pairs" "4 GB" "4 MB"
  for name in "distance at most 2" "left join" "\`tree_within_pairs\`" "similarity at least 0.9"; do
    rows=$(answer "$name" "SET work_mem = '4GB'" "${joins[$name]}")
    answer "$name" "SET work_mem = '4MB'" "${joins[$name]}" "$rows" >/dev/null
    row "$name" "$rows" "$(seconds "SET work_mem = '4GB'" "${joins[$name]}" | awk '{ printf "%.2f", $1 }')" \
      "$(seconds "SET work_mem = '4MB'" "${joins[$name]}" | awk '{ printf "%.2f", $1 }')"
  done
}

mkdir -p build/bench
echo "part,row,column,value" >build/bench/search.csv
sql -c "CREATE EXTENSION ted"
[[ ! collections =~ ${PARTS:-} ]] || collections
[[ ! searching =~ ${PARTS:-} ]] || searching
[[ ! nearest =~ ${PARTS:-} ]] || nearest_ten
[[ ! subtrees =~ ${PARTS:-} ]] || subtrees
[[ ! work_mem =~ ${PARTS:-} ]] || work_mem
