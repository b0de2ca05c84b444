#!/bin/bash
#
# growth.sh
#	  How the time of a self-join grows with the number of documents.
#
# The documents are records as records.py makes them, joined within DISTANCE by a
# TedJoin that has the memory for one block.  Times are medians of ROUNDS rounds,
# of processor time of one process; the exponent is that of the number of
# documents by which a time has grown since the row before.  COUNTS chooses other
# numbers of documents.
set -euo pipefail
unset MAKEFLAGS MAKELEVEL
cd "$(dirname "$0")/.."
# shellcheck source=bench/server.sh
. bench/server.sh
rounds=${ROUNDS:-3}
distance=${DISTANCE:-2}
read -ra counts <<<"${COUNTS:-10000 30000 100000 300000 1000000}"

if [[ ${1:-} != inside ]]; then
  # shellcheck source=test/setup.sh
  . test/setup.sh join
  make -s all PG_CONFIG="$PG_CONFIG"
  install_extension
  test/with-server.sh bench/growth.sh inside
  exit
fi
export PGCLIENTENCODING=UTF8 PGOPTIONS="-c client_min_messages=warning"

settings="SET work_mem = '2GB'; SET ted.max_memory = '4GB'"
pairs="SELECT a.id FROM records a JOIN records b ON a.id < b.id AND tree_within(a.doc, b.doc, $distance)"

# Loads this number of records.
load()
{
  sql -c "DROP TABLE IF EXISTS records" -c "CREATE TABLE records (id integer, doc tree)"
  /usr/bin/python3 bench/records.py "$1" | sql -c "COPY records FROM STDIN"
  sql -c "VACUUM ANALYZE records"
}

# Candidates and pairs found, as EXPLAIN counts them.
pair_counts()
{
  sql -c "SET max_parallel_workers_per_gather = 0" -c "$settings" \
    -c "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) $pairs" |
    awk '/TedJoin/ { sub(/.*rows=/, ""); found = $1 + 0 }
      /Pairs of Similar Size/ { candidates = $NF }
      /Pairs Removed by Rarest Labels/ { candidates -= $NF }
      END { print candidates, found }'
}

# Memory of the join when it comes to its last pair, in bytes per node.
node_bytes()
{
  sql <<SQL
SET max_parallel_workers_per_gather = 0;
$settings;
BEGIN;
DECLARE c CURSOR FOR $pairs;
MOVE $(($1 - 1)) IN c;
SELECT round(m.bytes / r.nodes, 1)
FROM (SELECT sum(total_bytes) AS bytes FROM pg_backend_memory_contexts
      WHERE name IN ('ted join', 'ted join trees', 'ted engine session', 'label table')) m,
     (SELECT sum(tree_size(doc)) AS nodes FROM records) r;
COMMIT;
SQL
}

sql -c "CREATE EXTENSION ted"

echo
echo "Self-join of records within distance $distance"
echo
echo '| documents | candidates | pairs found | seconds | exponent | bytes per node |'
echo '| --- | --- | --- | --- | --- | --- |'
last=
for count in "${counts[@]}"; do
  load "$count"
  read -r candidates found < <(pair_counts)
  seconds=$(for ((round = 0; round < rounds; round++)); do
    server_seconds "$settings" "SELECT count(*) FROM ($pairs OFFSET 0) j"
  done | spread)
  echo "$count ${seconds%% *} $last" | awk -v row="| $count | $candidates | $found" \
    -v bytes="$(node_bytes "$found")" '{
      exponent = NF > 2 ? sprintf("%.2f", log($2 / $4) / log($1 / $3)) : ""
      printf "%s | %.3g | %s | %s |\n", row, $2, exponent, bytes }'
  last="$count ${seconds%% *}"
done
