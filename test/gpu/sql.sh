#!/bin/bash
#
# sql.sh [FILE [PAIR...]]
#	  Times through SQL on a card and on one core, at the server found through PGHOST.
#
# FILE holds trees in bracket notation, one a line, for a join, and the first two
# lines of each PAIR are compared.  Prints a table of Markdown: medians of ROUNDS
# runs (5) in a session that has its context.  Where ONLY is set, a regular
# expression, rows of other names are left out.
set -euo pipefail
cd "$(dirname "$0")/../.."
rounds=${ROUNDS:-5}

# Milliseconds of a statement, which is run once beforehand.
milliseconds()
{
  local statements=()
  for _ in $(seq "$rounds"); do statements+=(-c "$2"); done
  psql -XqAt -d ted_gpu -c "SET ted.gpu = $1" -c "SET work_mem = '1GB'" -c "SET ted.max_memory = '8GB'" \
    -c "SET max_parallel_workers_per_gather = 0" -c "$2" -c '\timing on' "${statements[@]}" |
    sed -n 's/^Time: \([0-9.]*\) ms.*/\1/p' | sort -n | sed -n "$(((rounds + 1) / 2))p"
}

# The same of lcs_lengths() alone, of an array that PL/pgSQL holds.
array_milliseconds()
{
  psql -XqAt -d ted_gpu -c "SET ted.gpu = $1" -c "SET ted.max_memory = '8GB'" -c "
    DO \$\$
    DECLARE
      pattern text := (SELECT a FROM text_pairs WHERE n = 1000);
      docs text[] := (SELECT array_agg(line) FROM text_lines, generate_series(1, $2 / 1000));
      lengths int[];
      since timestamptz;
    BEGIN
      FOR i IN 0 .. $rounds LOOP
        since := clock_timestamp();
        lengths := lcs_lengths(pattern, docs);
        IF i > 0 THEN
          RAISE NOTICE 'Time: % ms', 1000 * extract(epoch FROM clock_timestamp() - since);
        END IF;
      END LOOP;
    END \$\$" 2>&1 | sed -n 's/.*Time: \([0-9.]*\) ms.*/\1/p' | sort -n | sed -n "$(((rounds + 1) / 2))p"
}

# A row of the table; a third argument measures by another function.
row()
{
  local off on
  [[ $1 =~ ${ONLY:-} ]] || return 0
  off=$("${3:-milliseconds}" off "$2")
  on=$("${3:-milliseconds}" on "$2")
  echo "| $1 | $off | $on | $(awk "BEGIN { printf \"%.1f\", $off / $on }") |"
}

psql -Xq -d ted_gpu -c "CREATE TABLE IF NOT EXISTS text_pairs AS
  SELECT n, (SELECT string_agg(chr(97 + (random() * 25)::int), '') FROM generate_series(1, n) WHERE n > 0) AS a,
            (SELECT string_agg(chr(97 + (random() * 25)::int), '') FROM generate_series(1, n) WHERE n > 0) AS b
  FROM (VALUES (1000), (60000), (1000000)) v(n)"
psql -Xq -d ted_gpu -c "CREATE TABLE IF NOT EXISTS text_lines AS
  SELECT substr(a, 1000 * i + 1, 1000) AS line FROM text_pairs, generate_series(0, 999) i WHERE n = 1000000"
if (($# > 0)); then
  psql -Xq -d ted_gpu -c "CREATE TABLE collection (id serial, doc tree)"
  sed 's/\\/\\\\/g' "$1" | psql -Xq -d ted_gpu -c "COPY collection (doc) FROM STDIN"
fi

psql -Xq -d ted_gpu -c "CREATE TABLE IF NOT EXISTS pairs (name text, id serial, doc tree)"
for file in "${@:2}"; do
  name=$(basename "$file" .bracket)
  head -n 2 "$file" | sed "s/\\\\/\\\\\\\\/g; s/^/$name\t/" |
    psql -Xq -d ted_gpu -c "COPY pairs (name, doc) FROM STDIN"
done

echo "| statement | one core, ms | GPU, ms | times |"
echo "| --- | --- | --- | --- |"
for file in "${@:2}"; do
  name=$(basename "$file" .bracket)
  row "tree_edit_distance, $name" \
    "SELECT tree_edit_distance(a.doc, b.doc) FROM pairs a JOIN pairs b USING (name) WHERE name = '$name' AND a.id < b.id"
done
row "tree_edit_distance, two trees of 800 nodes" \
  "SELECT tree_edit_distance(a.doc, b.doc) FROM big a, big b WHERE a.id = 1 AND b.id = 2"
row "tree_edit_mapping, two trees of 800 nodes" \
  "SELECT count(*) FROM big a, big b, tree_edit_mapping(a.doc, b.doc) WHERE a.id = 1 AND b.id = 2"
row "tree_edit_mapping, two trees of 2,000 nodes" \
  "SELECT count(*) FROM larger a, larger b, tree_edit_mapping(a.doc, b.doc) WHERE a.id = 1 AND b.id = 2"
row "tree_edit_distances, 3,000 small trees by 3,000" \
  "SELECT count(*) FROM (SELECT unnest(tree_edit_distances(q.doc, (SELECT array_agg(doc) FROM docs))) FROM docs q WHERE id <= 100) x"
row "tree_within_pairs, 3,000 random trees, distance at most 10" \
  "SELECT array_length(tree_within_pairs(id, doc, 10), 1) FROM docs"
if (($# > 0)); then
  row "tree_within_pairs, Python functions, distance at most 10" \
    "SELECT array_length(tree_within_pairs(id, doc, 10), 1) FROM collection"
fi
row "lcs_length, 60,000 characters each" \
  "SELECT lcs_length(a, b) FROM text_pairs WHERE n = 60000"
row "lcs, 60,000 characters each" \
  "SELECT length(lcs(a, b)) FROM text_pairs WHERE n = 60000"
row "lcs_length, 1,000,000 characters each" \
  "SELECT lcs_length(a, b) FROM text_pairs WHERE n = 1000000"
row "lcs_lengths, 1,000 characters by 1,000,000 texts of 1,000, alone" 1000000 array_milliseconds
row "lcs_lengths, 1,000 characters by 1,000,000 texts of 1,000, with array_agg" \
  "SELECT array_length(lcs_lengths((SELECT a FROM text_pairs WHERE n = 1000), array_agg(line)), 1) FROM text_lines, generate_series(1, 1000)"
