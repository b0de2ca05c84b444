# shellcheck shell=bash
#
# names.sh
#	  The tables of names, and the searches of them, that benchmarks share.

# shellcheck disable=SC2034
# What similarities a search compares with, which return about as many rows.
similar="lcs_similar(n.name, q.name, 0.8)"
trigrams="n.name % q.name"
search_settings="SET enable_seqscan = off; SET ted.enable_join = off; SET pg_trgm.similarity_threshold = 0.5"

# load_names FILE NAMES QUERIES TABLE...
# Makes a file of names (names.py), tables of these, and one of the names to search for.
load_names()
{
  local file=$1 names=$2 queries=$3 table
  shift 3
  /usr/bin/python3 bench/names.py "$names" >"$file"
  for table; do
    psql -X -q -v ON_ERROR_STOP=1 -c "CREATE TABLE $table (id int, name text)" -c "COPY $table FROM STDIN" <"$file"
  done
  psql -X -q -v ON_ERROR_STOP=1 \
    -c "CREATE TABLE queries AS SELECT * FROM $1 WHERE id % ($names / $queries) = 7 LIMIT $queries"
}

# search TABLE CONDITION
search()
{
  echo "SELECT count(*) FROM queries q, LATERAL (SELECT FROM $1 n WHERE $2 OFFSET 0) n"
}
