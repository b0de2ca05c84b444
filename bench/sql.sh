#!/bin/bash
#
# sql.sh
#	  What a call through SQL takes beside the core's time for the same pairs.
#
# A constant is compared with a column, in a server of its own.  Core and
# server are run in turn; both times are processor time, a pair's.  The
# server's includes reading the table.
set -euo pipefail
unset MAKEFLAGS MAKELEVEL
cd "$(dirname "$0")/.."
# shellcheck source=bench/server.sh
. bench/server.sh
rounds=${ROUNDS:-5}

if [[ ${1:-} != inside ]]; then
  # shellcheck source=test/setup.sh
  . test/setup.sh demo
  make -s all build/bench_sql PG_CONFIG="$PG_CONFIG"
  install_extension
  dir=$(mktemp -d)
  trap 'rm -rf "$dir"' EXIT
  ./build/bench_sql make "$dir"
  test/with-server.sh bench/sql.sh inside "$dir"
  exit
fi
dir=$2

# Processor time of a query over all pairs but the first, a pair's; the first run warms up.
pair_seconds()
{
  local table=$1 query=$2 pairs
  pairs=$(($(wc -l <"$dir/$table") - 1))
  server_seconds "$query" "$query" -v constant="$(head -n 1 "$dir/$table")" |
    awk -v pairs=$pairs '{ printf "%.9f\n", $1 / pairs }'
}

# overhead NAME TABLE CORE QUERY
overhead()
{
  local round core server
  for ((round = 0; round < rounds; round++)); do
    core=$(./build/bench_sql "$3" "$dir/$2")
    server=$(pair_seconds "$2" "$4")
    echo "$core $server"
  done >"$dir/times"
  echo "$1" "$(cut -d' ' -f1 "$dir/times" | spread)" "$(cut -d' ' -f2 "$dir/times" | spread)" \
    "$(awk '{ print $2 / $1 }' "$dir/times" | spread)" |
    awk -F'[ ]' -v csv=build/bench/sql.csv '{
      name = $1; gsub(/_/, " ", name)
      printf "| %s | %.2f | %.2f | %.1f %% (%.1f to %.1f) |\n", name, $2 * 1e6, $5 * 1e6,
        ($8 - 1) * 100, ($9 - 1) * 100, ($10 - 1) * 100
      printf "%s,%s,%s,%s\n", name, $2, $5, $8 >>csv }'
}

mkdir -p build/bench
echo "case,core_seconds,sql_seconds,ratio" >build/bench/sql.csv
psql -X -q -c "CREATE EXTENSION ted"
for table in trees_100 trees_1000 copies_1000 strings_1000 strings_60000; do
  type=tree
  [[ $table != strings* ]] || type=text
  psql -X -q -c "CREATE TABLE $table (doc $type)" \
    -c "\\copy $table FROM PROGRAM 'tail -n +2 $dir/$table'" -c "VACUUM ANALYZE $table"
done

echo
echo "| case | core, us a pair | SQL, us a pair | overhead (spread) |"
echo "| --- | --- | --- | --- |"
overhead exact,_100_nodes trees_100 exact \
  "SELECT sum(tree_edit_distance(:'constant', doc)) FROM trees_100"
overhead exact,_1000_nodes trees_1000 exact \
  "SELECT sum(tree_edit_distance(:'constant', doc)) FROM trees_1000"
overhead exact,_1000_nodes,_column_first trees_1000 exact \
  "SELECT sum(tree_edit_distance(doc, :'constant')) FROM trees_1000"
overhead within_3,_1000_nodes copies_1000 within \
  "SELECT sum(tree_edit_distance_less_equal(doc, :'constant', 3)) FROM copies_1000"
overhead lcs_length,_1000_characters strings_1000 lcs \
  "SELECT sum(lcs_length(:'constant', doc)) FROM strings_1000"
overhead lcs_length,_60000_characters strings_60000 lcs \
  "SELECT sum(lcs_length(:'constant', doc)) FROM strings_60000"
