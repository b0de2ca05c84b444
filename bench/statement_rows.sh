# shellcheck shell=bash
#
# statement_rows.sh
#	  The statements of statements.sh, a row of its table each.
#
# statements.sh has the functions, and the variables dir and documents.

# shellcheck disable=SC2154 # of statements.sh

# Loads a collection as a table of documents of a type: load COLLECTION TYPE TABLE [CONDITION]
load()
{
  if [[ $(sql -c "SELECT to_regclass('$1')") != "$1" ]]; then
    test/collections/load.sh "$1"
  fi
  sql -c "DROP TABLE IF EXISTS $3 CASCADE" \
    -c "CREATE TABLE $3 AS SELECT id, id % 10 AS grp, 2 AS k, doc::$2
        FROM $1 WHERE id <= $documents AND ${4:-true}" \
    -c "ALTER TABLE $3 ADD PRIMARY KEY (id)" -c "VACUUM ANALYZE $3"
}

# The aggregate's query over docs, as a reference of a join.
aggregate()
{
  echo "SELECT cardinality(tree_within_pairs(id, doc::tree, $1)) FROM docs"
}

near="tree_edit_distance(a.doc, b.doc)"
pairs="SELECT count(*) FROM docs a JOIN docs b ON a.id < b.id AND $near <="

# Loads the functions of Python's library with an index, some of them as query, and a part of them.
functions()
{
  load pyast tree docs
  sql -c "CREATE INDEX ON docs USING gist (doc)" -c "DROP TABLE IF EXISTS query, part" \
    -c "CREATE TABLE query AS SELECT * FROM docs WHERE id % 35 = 0 LIMIT 400" \
    -c "CREATE TABLE part AS SELECT * FROM docs WHERE id <= 3000" \
    -c "VACUUM ANALYZE docs, query, part"
}

# Self-joins with little memory, and their growth with it
self_joins()
{
  load pyast_json jsonb docs
  case_of "self-join of JSON, distance 3, 4 MB" x1.3 "$pairs 3" "$(aggregate 3)"
  growth JSON "$pairs 3" "$(aggregate 3)" >>"$dir/growth"
  load pyast tree docs
  case_of "self-join of trees, distance 3, 4 MB" x1.3 "$pairs 3" "$(aggregate 3)"
  growth trees "$pairs 3" "$(aggregate 3)" >>"$dir/growth"
}

# Joins within groups, of records and of strings at random
groups()
{
  local k join
  sql -c "DROP TABLE IF EXISTS records" -c "CREATE TABLE records (id bigint, doc tree)"
  /usr/bin/python3 bench/records.py 100000 | sql -c "COPY records FROM STDIN"
  sql -c "DROP TABLE IF EXISTS docs, cities, spots" -c "CREATE TABLE docs AS SELECT id, id % 500 AS grp, doc FROM records" \
    -c "CREATE TABLE cities AS SELECT i AS id, 'c' || i % 200 AS country, md5((i / 3)::text) || i % 3 AS name FROM generate_series(1, 170000) i" \
    -c "CREATE TABLE spots AS SELECT i AS id, 'c' || i % 200 AS country, md5((i * 7)::text) || 'x' AS name FROM generate_series(1, 418) i" \
    -c "VACUUM ANALYZE docs, cities, spots"
  for k in 2 6 12; do
    case_of "200 records in each of 500 groups, distance $k" x1.3 "$pairs $k AND a.grp = b.grp" \
      "SELECT sum(cardinality(found)) FROM (SELECT tree_within_pairs(id, doc, $k) AS found FROM docs GROUP BY grp) g"
  done
  join="a.country = b.country AND lcs_similarity(a.name, b.name) >="
  case_of "418 strings and 170,000 in 200 groups, similarity 0.5" s0.15 "SELECT count(*) FROM spots a JOIN cities b ON $join 0.5"
  case_of "60,000 strings in 200 groups, similarity 0.6" s1.5 \
    "SELECT count(*) FROM cities a JOIN cities b ON a.id < b.id AND $join 0.6 WHERE a.id < 60000 AND b.id < 60000"
  case_of "the nearest of 418 strings among 170,000 in 200 groups" s0.3 \
    "SELECT count(*), sum(n.m) FROM spots s,
       LATERAL (SELECT c.name <%> s.name AS m FROM cities c WHERE c.country = s.country ORDER BY c.name <%> s.name LIMIT 1) n"
  case_of "the nearest of 500 records in 500 groups" f10 \
    "SELECT count(*), sum(n.m) FROM (SELECT * FROM docs LIMIT 500) q,
       LATERAL (SELECT b.doc <-> q.doc AS m FROM docs b WHERE b.grp = q.grp AND b.id <> q.id ORDER BY b.doc <-> q.doc LIMIT 1) n"
}

# Types of joins, of JSON documents, against the inner join
join_types()
{
  load iso639_3 jsonb docs
  local on="a.id <> b.id AND $near <= 1"
  local inner="SELECT count(*) FROM docs a JOIN docs b ON $on"
  local exists="EXISTS (SELECT FROM docs b WHERE $on)"
  local left="SELECT count(*), count(b.id) FROM docs a LEFT JOIN docs b ON $on"
  case_of "EXISTS" x1.5 "SELECT count(*) FROM docs a WHERE $exists" "$inner"
  case_of "NOT EXISTS" x1.5 "SELECT count(*) FROM docs a WHERE NOT $exists" "$inner"
  case_of "LEFT JOIN … IS NULL" x1.5 "$left WHERE b.id IS NULL" "$inner"
  case_of "LEFT JOIN" x1.5 "$left" "$inner"
  case_of "RIGHT JOIN" x1.5 "${left/LEFT/RIGHT}" "$inner"
  case_of "FULL JOIN" x1.5 "${left/LEFT/FULL}" "$inner" \
    "SELECT count(*), count(b) FROM (SELECT a.id, b.id AS b FROM docs a LEFT JOIN docs b ON $on
      UNION ALL SELECT NULL, b.id FROM docs b WHERE NOT EXISTS (SELECT FROM docs a WHERE $on)) u"
  case_of "IN (subquery)" x1.5 \
    "SELECT count(*) FROM docs WHERE id IN (SELECT a.id FROM docs a JOIN docs b ON $on)" "$inner"
  changes "$on" "$inner"
}

# Statements that change or lock rows, of the same documents; the reference only finds the pairs
changes()
{
  local on=$1 inner=$2 locked="SELECT count(*) FROM (SELECT a.id FROM docs a JOIN docs b ON $1"
  case_of "DELETE … IN (join)" f10 \
    "BEGIN; DELETE FROM docs WHERE id IN (SELECT b.id FROM docs a JOIN docs b ON $on); ROLLBACK" "$inner"
  case_of "UPDATE … FROM a JOIN b" f10 \
    "BEGIN; UPDATE docs SET grp = -1 FROM docs a JOIN docs b ON $on WHERE docs.id = a.id; ROLLBACK" "$inner"
  case_of "FOR UPDATE OF another table" f10 \
    "BEGIN; $locked JOIN docs c ON c.id = a.id FOR UPDATE OF c) q; ROLLBACK" "$inner"
  case_of "DELETE … USING" f10 "BEGIN; DELETE FROM docs a USING docs b WHERE $on; ROLLBACK" "$inner"
  case_of "UPDATE … FROM" f10 \
    "BEGIN; UPDATE docs a SET grp = -1 FROM docs b WHERE $on; ROLLBACK" "$inner"
  case_of "FOR UPDATE" f10 "BEGIN; $locked FOR UPDATE) q; ROLLBACK" "$inner"
  case_of "MERGE" f10 \
    "BEGIN; MERGE INTO docs a USING docs b ON $on WHEN MATCHED THEN DO NOTHING
     WHEN NOT MATCHED THEN INSERT (id, grp) VALUES (-b.id, -1); ROLLBACK" "$inner"
}

# Spellings of a threshold, against tree_within, with an index and as a join of 400 by 3,000 trees;
# what follows from a clause is not seen behind IS TRUE
spellings()
{
  functions
  local one clause within="tree_within(b.doc, a.doc, 2)"
  one="$(sql -c "SELECT quote_literal(doc) FROM docs WHERE id = 77")::tree"
  for clause in "tree_edit_distance(b.doc, a.doc) <= 2" "tree_edit_distance(b.doc, a.doc) < 3" \
    "tree_edit_distance(b.doc, a.doc) = 2" "tree_edit_distance(b.doc, a.doc) BETWEEN 1 AND 2" \
    "tree_edit_distance(b.doc, a.doc) <= 2.5" "tree_edit_distance(b.doc, a.doc, tree_costs(1, 1, 2)) <= 2" \
    "b.doc <-> a.doc <= 2" "tree_edit_distance_less_equal(b.doc, a.doc, 2) <= 2" \
    "tree_similarity(b.doc, a.doc) >= 0.95" "tree_normalized_distance(b.doc, a.doc) <= 0.03"; do
    case_of "$clause, a constant" x1.2 "SELECT count(*) FROM docs b WHERE ${clause/a.doc/"$one"}" \
      "SELECT count(*) FROM docs b WHERE ${within/a.doc/"$one"}" \
      "SELECT count(*) FROM docs b WHERE (${clause/a.doc/"$one"}) IS TRUE"
    case_of "$clause, a join" x1.5 "SELECT count(*) FROM query a JOIN part b ON $clause" \
      "SELECT count(*) FROM query a JOIN part b ON $within"
  done
  case_of "threshold from a column, a join" x1.5 "SELECT count(*) FROM query a JOIN part b ON $near <= a.k" \
    "SELECT count(*) FROM query a JOIN part b ON $within"
  case_of "threshold from a column, by index" x1.5 \
    "SELECT count(*) FROM (SELECT * FROM query LIMIT 3) a JOIN docs b ON $near <= a.k" \
    "SELECT count(*) FROM (SELECT * FROM query LIMIT 3) a JOIN docs b ON $within"
}

# The distance of the pairs found, in aggregates, against one that is computed once
measures()
{
  load pyast tree docs
  local inner="FROM docs a JOIN docs b ON a.id < b.id AND $near <= 3"
  local once="SELECT min(d) FROM (SELECT $near AS d $inner OFFSET 0) q"
  case_of "min of the distance" x1.1 "SELECT min($near) $inner" "$once"
  case_of "GROUP BY the distance" x1.3 "SELECT count(*) FROM (SELECT $near, count(*) $inner GROUP BY 1) q" "$once"
  case_of "DISTINCT distance" x1.3 "SELECT count(*) FROM (SELECT DISTINCT $near $inner) q" "$once"
}

# The nearest other document of each row
nearest()
{
  functions
  local measure collection plain_before=$plain
  local best="SELECT count(*), sum(n.m) FROM (SELECT * FROM query LIMIT 100) q, LATERAL (SELECT"
  for measure in "b.doc <-> q.doc" "tree_similarity(b.doc, q.doc)" \
    "tree_normalized_distance(b.doc, q.doc)"; do
    case_of "the first of 100 rows each by $measure" f10 \
      "$best $measure AS m FROM docs b WHERE b.id <> q.id
       ORDER BY $measure $([[ $measure != *similarity* ]] || echo DESC NULLS LAST) LIMIT 1) n"
  done
  plain="SET ted.enable_nearest = off"
  case_of "the nearest of 100 rows each, against the index" f10 \
    "$best b.doc <-> q.doc AS m FROM docs b WHERE b.id <> q.id ORDER BY b.doc <-> q.doc LIMIT 1) n"
  plain=$plain_before
  for collection in mime:xml iso639_3:jsonb; do
    load "${collection%:*}" "${collection#*:}" docs
    sql -c "CREATE INDEX ON docs USING gist ((doc::tree))" -c "ANALYZE docs"
    case_of "the most similar of each of 10 rows, ${collection#*:}" f10 \
      "SELECT sum(n.m) FROM (SELECT * FROM docs LIMIT 10) q,
         LATERAL (SELECT tree_similarity(b.doc, q.doc) AS m FROM docs b
                  WHERE b.id <> q.id ORDER BY tree_similarity(b.doc, q.doc) DESC NULLS LAST LIMIT 1) n"
  done
}

# Exact duplicates that are refused, of large trees
constraints()
{
  load pyast tree docs
  sql -c "CREATE TABLE distinct_docs AS SELECT DISTINCT ON (doc) * FROM docs" \
    -c "CREATE TABLE hashed (LIKE docs, EXCLUDE USING hash (doc WITH =))"
  local insert="INSERT INTO hashed SELECT * FROM distinct_docs"
  sql -c "CREATE TABLE sorted (LIKE docs, UNIQUE (doc))" \
    -c "CREATE TABLE gist (LIKE docs, EXCLUDE USING gist (doc WITH =))" 2>/dev/null || true
  sql -c "CREATE TABLE unconstrained (LIKE docs)"
  case_of "EXCLUDE USING hash (doc WITH =)" - "BEGIN; $insert; ROLLBACK" \
    "BEGIN; ${insert/hashed/unconstrained}; ROLLBACK" -
  case_of "UNIQUE" x2 "BEGIN; ${insert/hashed/sorted}; ROLLBACK" "BEGIN; $insert; ROLLBACK" -
  case_of "EXCLUDE USING gist (doc WITH =)" x2 "BEGIN; ${insert/hashed/gist}; ROLLBACK" \
    "BEGIN; $insert; ROLLBACK" -
}

# Distances of trees of 20,001 nodes that are alike, in session memory of default size
alike()
{
  local renamed seconds expression
  for renamed in 0:0.005 1:0.02 100:0.5; do
    seconds=${renamed#*:}
    renamed=${renamed%:*}
    sql -c "DROP TABLE IF EXISTS large" -c "CREATE TABLE large AS
      SELECT i AS id, ('{r' || string_agg('{x{' || label || '}}', '' ORDER BY g) || '}')::tree AS doc
      FROM generate_series(1, 2) i, generate_series(1, 10000) g,
        LATERAL (SELECT CASE WHEN i = 2 AND g <= $renamed THEN 'y' ELSE g::text END AS label) l
      GROUP BY i"
    for expression in "$near" "tree_similarity(a.doc, b.doc)" "a.doc <-> b.doc" \
      "tree_normalized_distance(a.doc, b.doc)" "tree_similar(a.doc, b.doc, 0.9)"; do
      case_of "$expression, $renamed renamed of 20,001 nodes" "s$seconds" \
        "SELECT $expression FROM large a, large b WHERE a.id = 1 AND b.id = 2" "" -
    done
  done
}

# Wide thresholds, and the planner's estimates of them
wide()
{
  local type s join
  for type in tree xml; do
    load mime "$type" docs
    for s in 0.6 0.5; do
      join="FROM docs a JOIN docs b ON a.id < b.id AND tree_similarity(a.doc, b.doc) >= $s"
      case_of "similarity of at least $s, $type" pTedJoin "SELECT count(*) $join"
      estimate "similarity of at least $s, $type" "SELECT a.id $join"
    done
  done
}

# Behind a security barrier and row security
security()
{
  load pyast tree docs "id <= 3000"
  sql -c "CREATE VIEW barrier WITH (security_barrier) AS SELECT * FROM docs WHERE grp > 0"
  local join="SELECT count(*) FROM docs a JOIN docs b ON $near <= 2 WHERE a.grp > 0 AND b.grp > 0"
  case_of "a join of a security_barrier view" - "${join//docs/barrier}" "$join"
  case_of "a search of a security_barrier view" - \
    "SELECT count(*) FROM barrier WHERE tree_within(doc, (SELECT doc FROM docs WHERE id = 77), 2)"
}

for rows in ${STATEMENTS:-self_joins groups join_types spellings measures nearest constraints alike wide security}; do
  $rows
done

if [[ -r $dir/growth ]]; then
  echo
  echo "Self-joins within distance 3 with more and more memory, seconds"
  echo
  echo "| documents | work_mem, MB | TedJoin | aggregate |"
  echo "| --- | --- | --- | --- |"
  cat "$dir/growth"
fi
