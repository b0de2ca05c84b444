#!/bin/bash
#
# demo.sh
#	  Finds the similar ones among 851 XML and 5,127 JSON documents, from nothing.
#
# Installs what is missing, builds and installs ted, and works in a server of
# its own, which goes at the end; with KEEP=1 it stays.  Writes a page of the
# clusters of XML documents and their differences, into the folder REPORT.
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
  make -s -j"$(nproc)" with_llvm=no COPT=-g0 PG_CONFIG="$PG_CONFIG"
  install_extension with_llvm=no
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
step "Converting the MIME types to trees" \
  sql -c "ALTER TABLE mime ADD tree tree GENERATED ALWAYS AS (doc::tree) STORED"
step "Joining the MIME types with themselves, distance at most 8" \
  sql -c "CREATE TABLE mime_pairs AS
          SELECT m.* FROM unnest((SELECT tree_within_pairs(id, tree, 8) FROM mime)) AS m"
sql -f demo/mime.sql
step "Loading the ISO 3166-2 records of iso-codes as jsonb" \
  test/collections/load.sh iso3166_2
step "Converting the ISO 3166-2 records to trees" \
  sql -c "ALTER TABLE iso3166_2 ADD tree tree GENERATED ALWAYS AS (doc::tree) STORED"
step "Joining the ISO 3166-2 records with themselves, distance at most 1" \
  sql -c "CREATE TABLE iso3166_2_pairs AS
          SELECT m.* FROM unnest((SELECT tree_within_pairs(id, tree, 1) FROM iso3166_2)) AS m"
sql -f demo/iso3166_2.sql
page=${REPORT:-build/demo}/index.html
mkdir -p "${page%/*}"
step "Writing a page of clusters, with pictures of what differs" sql -f demo/clusters.sql -o "$page"

cat <<END

What came out, as a page for the browser:
  file://$(realpath "$page")

To find near-duplicates of your own, in any database of this installation; doc
may be of type xml, json, jsonb or tree:
  CREATE EXTENSION ted;
  SELECT a.id, b.id FROM docs a JOIN docs b
    ON a.id < b.id AND tree_similarity(a.doc, b.doc) >= 0.9;
  SELECT id, tree_within_cluster(doc::tree, 5) OVER () FROM docs;
  SELECT tree_diff(a.doc, b.doc) FROM docs a, docs b WHERE a.id = 1 AND b.id = 2;
To search among many:
  CREATE INDEX ON docs USING gist ((doc::tree));
  SELECT id FROM docs ORDER BY doc::tree <-> '{"name": "Ada"}'::jsonb::tree LIMIT 5;
To read on: README.md has the first steps, doc/cookbook.md everyday work.

END
[[ ${KEEP:-} ]] || echo "The server goes now. To keep it for psql, with these documents: make demo KEEP=1"
