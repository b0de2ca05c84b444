#!/bin/bash
#
# string_index.sh
#	  What indexes of strings take, beside pg_trgm's on the same rows.
#
# NAMES distinct names of 10 to 40 characters (names.py) are searched for QUERIES of
# them, by similarities that return about as many rows; both ways take turns, for
# ROUNDS rounds.  Times are processor time of one process.
set -euo pipefail
unset MAKEFLAGS MAKELEVEL
cd "$(dirname "$0")/.."
# shellcheck source=bench/server.sh
. bench/server.sh
# shellcheck source=bench/names.sh
. bench/names.sh
names=${NAMES:-1000000}
queries=${QUERIES:-40}
rounds=${ROUNDS:-5}

if [[ ${1:-} != inside ]]; then
  # shellcheck source=test/setup.sh
  . test/setup.sh join
  make -s all PG_CONFIG="$PG_CONFIG"
  install_extension
  dir=$(mktemp -d)
  trap 'rm -rf "$dir"' EXIT
  test/with-server.sh bench/string_index.sh inside "$dir"
  exit
fi
dir=$2
export PGCLIENTENCODING=UTF8 PGOPTIONS="-c client_min_messages=warning"

# Milliseconds of a query for each of so many parts, median of all rounds: per_part FILE PARTS
per_part()
{
  spread <"$1" | awk -v parts="$2" '{ printf "%.4g", $1 * 1000 / parts }'
}

# row NAME GOAL PARTS LCS PG_TRGM: what two statements take for each part, and whether the ratio is the goal
row()
{
  local name=$1 goal=$2 parts=$3 own=$4 other=$5 round
  rm -f "$dir"/{own,other}
  for ((round = 0; round < rounds; round++)); do
    server_seconds "$search_settings; BEGIN" "$own; ROLLBACK" | awk '{ s += $1 } END { print s }' >>"$dir/own"
    server_seconds "$search_settings; BEGIN" "$other; ROLLBACK" | awk '{ s += $1 } END { print s }' >>"$dir/other"
  done
  print_row "$name" "$goal" "$(per_part "$dir/own" "$parts")" "$(per_part "$dir/other" "$parts")"
}

# print_row NAME GOAL LCS PG_TRGM
print_row()
{
  echo "\"$1\",$3,$4" >>build/bench/string_index.csv
  awk -v name="$1" -v goal="$2" -v own="$3" -v other="$4" 'BEGIN {
    printf "| %s | %s | %s | %.3g | %s at most | %s |\n", name, own, other, own / other, goal,
      own / other <= goal ? "yes" : "no" }'
}

# Megabytes of an index.
size_of()
{
  sql -c "SELECT round(pg_relation_size('$1') / 1e6, 1)"
}

mkdir -p build/bench
echo "row,lcs,pg_trgm" >build/bench/string_index.csv
sql -c "CREATE EXTENSION ted" -c "CREATE EXTENSION pg_trgm"
load_names "$dir/names" "$names" "$queries" ours gin gist
sql -c "CREATE TABLE more AS SELECT id, name || 'x' AS name FROM ours LIMIT $names / 50"
memory="SET maintenance_work_mem = '256MB'"
lcs_build=$(build_time "$memory" "CREATE INDEX ours_index ON ours USING profile (name)")
gin_build=$(build_time "$memory" "CREATE INDEX gin_index ON gin USING gin (name gin_trgm_ops)")
gist_build=$(build_time "$memory" "CREATE INDEX gist_index ON gist USING gist (name gist_trgm_ops (siglen = 64))")
sql -c "VACUUM ANALYZE"
lcs_size=$(size_of ours_index)

nearest()
{
  echo "SELECT count(*) FROM queries q, LATERAL (SELECT FROM $1 n ORDER BY n.name $2 q.name LIMIT 5) n"
}
thousands=$(sql -c "SELECT count(*) / 1000.0 FROM more")

echo
echo "$names names; rows of a search: $(sql -c "$search_settings" -c "$(search ours "$similar")" | awk "{ print \$1 / $queries }")," \
  "by pg_trgm $(sql -c "$search_settings" -c "$(search gin "$trigrams")" | awk "{ print \$1 / $queries }")"
echo
echo "Milliseconds and megabytes"
echo
echo "| | lcs | pg_trgm | ratio | goal | reached |"
echo "| --- | --- | --- | --- | --- | --- |"
row "search, GIN" 1 "$queries" "$(search ours "$similar")" "$(search gin "$trigrams")"
row "nearest 5, GiST" 1 "$queries" "$(nearest ours "<%>")" "$(nearest gist "<->")"
row "insertion of 1000 rows, GIN" 1.5 "$thousands" "INSERT INTO ours TABLE more" "INSERT INTO gin TABLE more"
row "insertion of 1000 rows, GiST" 1.5 "$thousands" "INSERT INTO ours TABLE more" "INSERT INTO gist TABLE more"
print_row "build, GIN" 1 "$lcs_build" "$gin_build"
print_row "build, GiST" 1 "$lcs_build" "$gist_build"
print_row "size, GIN" 1 "$lcs_size" "$(size_of gin_index)"
print_row "size, GiST" 1 "$lcs_size" "$(size_of gist_index)"
