#!/bin/bash
#
# join.sh
#	  What self-joins of real documents take in every way, beside a plain program.
#
# The programs of a case take turns, for ROUNDS rounds.  Times are processor
# time of one process, without parsing: trees are stored beforehand, though
# reading them from the table counts.  For comparison, the plain program and the
# aggregate are timed with parsing, too.  The first run of each checks that it
# finds the rows of the plain program; what takes longer than LIMIT seconds then
# is not timed.  CASES chooses others of the cases below.
set -euo pipefail
unset MAKEFLAGS MAKELEVEL
cd "$(dirname "$0")/.."
# shellcheck source=bench/server.sh
. bench/server.sh
rounds=${ROUNDS:-3}
limit=${LIMIT:-30}
# collection:distance
read -ra cases <<<"${CASES:-pyast:1 pyast:3 pyast:5 pyast_small:10 cldr_unit:2 mime:8 iso3166_2:1}"

if [[ ${1:-} != inside ]]; then
  # shellcheck source=test/setup.sh
  . test/setup.sh join
  make -s all build/bench_join PG_CONFIG="$PG_CONFIG"
  install_extension
  dir=$(mktemp -d)
  trap 'rm -rf "$dir"' EXIT
  test/with-server.sh bench/join.sh inside "$dir"
  ./bench/plot.sh
  exit
fi
dir=$2
export PGCLIENTENCODING=UTF8 PGOPTIONS="-c client_min_messages=warning"

# Loads a collection: pyast_small has the functions of 10 to 80 nodes.
load()
{
  local name=$1 condition=true
  if [[ $name == pyast_small ]]; then
    name=pyast
    condition="tree_size(doc::tree) BETWEEN 10 AND 80"
  fi
  test/collections/load.sh "$name"
  sql <<SQL
DROP TABLE IF EXISTS docs, docs_gist, docs_gin, texts;
CREATE TABLE docs AS SELECT id, doc::tree FROM $name WHERE $condition;
CREATE TABLE texts AS SELECT id, doc::text FROM docs;
CREATE TABLE docs_gist AS TABLE docs;
CREATE INDEX ON docs_gist USING gist (doc);
CREATE TABLE docs_gin AS TABLE docs;
CREATE INDEX ON docs_gin USING gin (doc);
VACUUM ANALYZE docs, texts, docs_gist, docs_gin;
DROP TABLE $name;
SQL
  sql -F $'\t' -c "SELECT id, doc FROM docs" >"$dir/docs"
}

# Every way to join, K standing for the distance: what to set, and the query.
ways=(aggregate aggregate_with_parsing TedJoin GiST GIN nested_loop)
settings="SET work_mem = '256MB'; SET ted.enable_join ="
declare -A before query
aggregate="SELECT m.* FROM (SELECT tree_within_pairs(id, doc, K) AS found FROM docs) j, unnest(found) m"
loop="SELECT a.id AS left_id, b.id AS right_id, tree_edit_distance(a.doc, b.doc) AS distance
  FROM docs a JOIN docs b ON a.id < b.id AND tree_within(a.doc, b.doc, K)"
for way in "${ways[@]}"; do
  before[$way]="$settings off"
  query[$way]=$loop
done
before[TedJoin]="$settings on"
before[GiST]="$settings off; SET enable_seqscan = off"
before[GIN]=${before[GiST]}
query[aggregate]=$aggregate
query[aggregate_with_parsing]=${aggregate/id, doc, K) AS found FROM docs/id, doc::tree, K) AS found FROM texts}
query[GiST]=${loop//docs/docs_gist}
query[GIN]=${loop//docs/docs_gin}

# True where a query ends in time; ends the script where it does not find the rows expected.
check()
{
  local differences
  if differences=$(sql 2>"$dir/error" <<SQL
${before[$1]};
SET statement_timeout = '${limit}s';
CREATE TEMP TABLE found AS $2;
RESET statement_timeout;
SELECT count(*) FROM (
  (TABLE expected EXCEPT ALL TABLE found) UNION ALL (TABLE found EXCEPT ALL TABLE expected)) d;
SQL
  ); then
    [[ $differences == 0 ]] || { echo "$1 finds other rows: $differences differ" >&2; exit 1; }
  else
    grep -q "statement timeout" "$dir/error" || { cat "$dir/error" >&2; exit 1; }
    false
  fi
}

# Runs a case and prints its row.
run_case()
{
  local name=$1 k=$2 pairs way read join row
  declare -A text
  rm -f "$dir"/times_*
  ./build/bench_join "$dir/docs" "$k" "$dir/pairs" >/dev/null
  sql -c "DROP TABLE IF EXISTS expected" \
    -c "CREATE TABLE expected (left_id bigint, right_id bigint, distance integer)" \
    -c "\\copy expected FROM '$dir/pairs'"
  pairs=$(wc -l <"$dir/pairs")
  for way in "${ways[@]}"; do
    text[$way]=${query[$way]//K/$k}
    check "$way" "${text[$way]}" || unset "text[$way]"
  done
  for ((round = 0; round < rounds; round++)); do
    read -r read join < <(./build/bench_join "$dir/docs" "$k" "$dir/pairs")
    echo "$join" >>"$dir/times_plain"
    awk -v read="$read" -v join="$join" 'BEGIN { print read + join }' >>"$dir/times_plain_with_parsing"
    for way in "${ways[@]}"; do
      [[ ! ${text[$way]:-} ]] || server_seconds "${before[$way]}" \
        "SELECT count(*), sum(distance) FROM (${text[$way]} OFFSET 0) j" >>"$dir/times_$way"
    done
  done
  row="| $name, $k | $pairs"
  for way in plain plain_with_parsing "${ways[@]}"; do
    row+=" | $(cell "$name" "$k" "$pairs" "$way")"
  done
  echo "$row |"
}

# The seconds of a way and how many times faster than the plain program it is; also a line of CSV.
cell()
{
  local name=$1 k=$2 pairs=$3 way=$4 baseline=plain
  [[ $way != *_with_parsing ]] || baseline=plain_with_parsing
  if [[ ! -r $dir/times_$way ]]; then
    echo "over $limit"
    return
  fi
  paste "$dir/times_$baseline" "$dir/times_$way" | awk '{ print $1 / $2 }' | spread >"$dir/ratio"
  echo "$(spread <"$dir/times_$way") $(<"$dir/ratio")" |
    awk -v name="$name" -v k="$k" -v pairs="$pairs" -v way="$way" -v csv=build/bench/join.csv '{
      printf "%s,%s,%s,%s,%s,%s,%s,%s,%s,%s\n", name, k, pairs, way, $1, $2, $3, $4, $5, $6 >>csv
      printf way ~ /^plain/ ? "%.3g" : "%.3g: %.3g (%.3g to %.3g)", $1, $4, $5, $6 }'
}

mkdir -p build/bench
echo "collection,distance,pairs,way,seconds,least,greatest,ratio,least_ratio,greatest_ratio" >build/bench/join.csv
sql -c "CREATE EXTENSION ted"

echo
echo "Seconds, and how many times faster than the plain program (spread)"
echo
printf '| collection, distance | pairs | plain | plain with parsing |%s\n' \
  "$(printf ' %s |' "${ways[@]//_/ }")"
printf '| --- | --- | --- | --- |%s\n' "$(printf ' --- |%.0s' "${ways[@]}")"
loaded=
for case in "${cases[@]}"; do
  [[ $loaded == "${case%:*}" ]] || load "${case%:*}"
  loaded=${case%:*}
  run_case "$loaded" "${case#*:}"
done
