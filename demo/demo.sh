#!/bin/bash
#
# demo.sh
#	  Finds the similar ones among 851 XML and 5,127 JSON documents, from nothing.
#
# Installs what is missing, builds and installs ted, and works in a server of
# its own, which goes at the end; with KEEP=1 it stays.  With REPORT=dir, writes
# a page there of the near-duplicates among the XML documents and their differences.
set -euo pipefail
unset MAKEFLAGS MAKELEVEL
cd "$(dirname "$0")/.."

# Runs a command and says what it is about and how long it took.
step()
{
  local start=${EPOCHREALTIME/[.,]/} hundredths
  printf '%-68s' "$1"
  shift
  "$@"
  hundredths=$(((${EPOCHREALTIME/[.,]/} - start) / 10000))
  printf '%4d.%02d s\n' $((hundredths / 100)) $((hundredths % 100))
}

# One build at a time: others may be at work in the same checkout.
build()
(
  exec {lock}<.
  flock $lock
  make -s PG_CONFIG="$PG_CONFIG"
  install_extension
)

sql()
{
  psql -X -q -v ON_ERROR_STOP=1 -P pager=off "$@"
}

if [[ ${1:-} != inside ]]; then
  # shellcheck source=test/setup.sh
  . test/setup.sh demo
  step "Building and installing ted" build
  exec test/with-server.sh ${KEEP:+-k} demo/demo.sh inside
fi

export PGCLIENTENCODING=UTF8
sql -c "CREATE EXTENSION ted"
step "Loading the MIME types of shared-mime-info as xml" \
  test/collections/load.sh mime
step "Loading the ISO 3166-2 records of iso-codes as jsonb" \
  test/collections/load.sh iso3166_2
step "Converting the MIME types to trees" \
  sql -c "ALTER TABLE mime ADD tree tree GENERATED ALWAYS AS (doc::tree) STORED"
step "Converting the ISO 3166-2 records to trees" \
  sql -c "ALTER TABLE iso3166_2 ADD tree tree GENERATED ALWAYS AS (doc::tree) STORED"
step "Joining the MIME types with themselves, distance at most 8" \
  sql -c "CREATE TABLE mime_pairs AS
          SELECT m.* FROM unnest((SELECT tree_similarity_join(id, tree, 8) FROM mime)) AS m"
step "Joining the ISO 3166-2 records with themselves, distance at most 1" \
  sql -c "CREATE TABLE iso3166_2_pairs AS
          SELECT m.* FROM unnest((SELECT tree_similarity_join(id, tree, 1) FROM iso3166_2)) AS m"
sql -f demo/report.sql
if [[ ${REPORT:-} ]]; then
  mkdir -p "$REPORT"
  step "Writing $REPORT/index.html" sql -f demo/clusters.sql -o "$REPORT/index.html"
fi

cat <<'END'
Some statements to look around further:
  SELECT tree_edit_distance('{a{b}{c}}', '{a{c}}');
  SELECT tree FROM iso3166_2 LIMIT 5;
  SELECT * FROM tree_nodes((SELECT tree FROM mime WHERE name = 'image/png'));
  SELECT b.name, a.tree <-> b.tree AS distance FROM mime a, mime b
    WHERE a.name = 'image/png' ORDER BY distance LIMIT 10;

END
[[ ${KEEP:-} ]] || echo "The server goes now. To keep it for psql: make demo KEEP=1"
