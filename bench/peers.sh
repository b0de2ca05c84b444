#!/bin/bash
#
# peers.sh
#	  What ted's statements take, beside what a reader would use otherwise on the same data.
#
# All ways take turns, for ROUNDS rounds.  Times are processor time of one process; of
# programs in Python, without reading the documents, and of cdist without reading the pairs
# from its matrix.  A way other than ted's that takes longer than LIMIT seconds is not timed
# further.  Labels are LABELS distinct ones of the collections, of 10 to 40 characters in
# Latin letters, NAMES names those of names.py, and PAIRS at most the pairs of neighbors of
# each collection.
# Modules are those of the Python named by PEERS_PYTHON, of Debian's packages unless it is set.
set -euo pipefail
unset MAKEFLAGS MAKELEVEL
cd "$(dirname "$0")/.."
# shellcheck source=bench/server.sh
. bench/server.sh
# shellcheck source=bench/names.sh
. bench/names.sh
labels=${LABELS:-20000}
names=${NAMES:-1000000}
some=$((names < 1000 ? names : 1000))
queries=${QUERIES:-40}
pairs=${PAIRS:-500}
rounds=${ROUNDS:-3}
limit=${LIMIT:-30}
python=${PEERS_PYTHON:-/usr/bin/python3}

if [[ ${1:-} != inside ]]; then
  # shellcheck source=test/setup.sh
  . test/setup.sh peers
  make -s all PG_CONFIG="$PG_CONFIG"
  install_extension
  dir=$(mktemp -d)
  trap 'rm -rf "$dir"' EXIT
  test/with-server.sh bench/peers.sh inside "$dir"
  exit
fi
dir=$2
export PGCLIENTENCODING=UTF8 PGOPTIONS="-c client_min_messages=warning"

# Seconds of a statement and the number that it returns, or "over" a limit: statement LIMIT SETTINGS QUERY
# A limit of 0 is none.
statement()
{
  local limit=$1 settings=$2 start=$SECONDS seconds
  if seconds=$(server_seconds "$settings; SET statement_timeout = '${limit}s';"$'\n\\o '"$dir/rows"$'\n' "$3" -A -t); then
    echo "$seconds $(<"$dir/rows")"
  elif ((limit > 0 && SECONDS - start >= limit)); then
    echo "over $limit"
  else
    echo "This statement failed: $3" >&2
    return 1
  fi
}

# The ways to come, in their order, and their commands.
declare -a ways
declare -A command

# way NAME COMMAND ARGUMENT...
way()
{
  ways+=("$1")
  command[$1]=$(printf '%q ' "${@:2}")
}
# ted SETTINGS QUERY, other NAME SETTINGS QUERY, program NAME COMMAND ARGUMENT...
ted()
{
  way ted statement 0 "$@"
}
other()
{
  way "$1" statement "$limit" "${@:2}"
}
program()
{
  way "$1" "$python" bench/peers.py "${@:2}"
}

# Runs the ways in turns; leaves their times in $dir/times_NUMBER, or why there are none, and their numbers of rows.
take_turns()
{
  local round number result
  rm -f "$dir"/{times,failed}_*
  for ((round = 0; round < rounds; round++)); do
    for number in "${!ways[@]}"; do
      [[ ! -s $dir/failed_$number ]] || continue
      result=$(eval "${command[${ways[number]}]}")
      if [[ $result == [0-9]* ]]; then
        echo "${result% *}" >>"$dir/times_$number"
        echo "${result#* }" >"$dir/rows_$number"
      else
        echo "$result" >"$dir/failed_$number"
      fi
    done
  done
}

# cell COMPARISON NUMBER PARTS: milliseconds of a way for each part, or why there are none; also a line of CSV
cell()
{
  if [[ -s $dir/failed_$2 ]]; then
    echo "\"$1\",\"${ways[$2]}\",$(<"$dir/failed_$2"),,," >>build/bench/peers.csv
    sed 's/^over .*/& s/' "$dir/failed_$2"
  else
    spread <"$dir/times_$2" | awk -v name="$1" -v way="${ways[$2]}" -v parts="$3" -v rows="$(<"$dir/rows_$2")" \
      -v csv=build/bench/peers.csv '{
      printf "\"%s\",\"%s\",%.6g,%.6g,%.6g,%s\n", name, way, $1 / parts, $2 / parts, $3 / parts, rows >>csv
      seconds = $1 / parts
      printf seconds < 0.1 ? "%.3g ms" : "%.3g s", seconds < 0.1 ? seconds * 1000 : seconds }'
  fi
}

# compare NAME [PARTS]: prints a row for each way
compare()
{
  local number rows
  take_turns
  for number in "${!ways[@]}"; do
    rows=
    [[ -s $dir/failed_$number ]] || rows=$(<"$dir/rows_$number")
    echo "| $1 | ${ways[number]} | $(cell "$1" "$number" "${2:-1}") | $rows |"
  done
  ways=()
}

# pairs_of TABLE CONDITION
pairs_of()
{
  echo "SELECT count(*) FROM $1 a JOIN $1 b ON a.id < b.id AND $2"
}

# Times of the differences of neighbors in a table of documents, and the sizes of patches.
compare_differences()
{
  local name=$1 table=$2 order=$3 number count fewer more row
  # every pair, or some at equal distances
  sql <<SQL
DROP TABLE IF EXISTS pairs;
CREATE TABLE pairs AS
SELECT a, b FROM (
  SELECT lag(doc) OVER w AS a, doc AS b, row_number() OVER w AS number, count(*) OVER () AS count
  FROM $table WINDOW w AS (ORDER BY $order)) n
WHERE number > 1 AND (number - 2) % greatest(1, (count - 1) / $pairs) = 0
ORDER BY number LIMIT $pairs;
VACUUM ANALYZE pairs;
SQL
  sql -F $'\t' -c "SELECT a, b, json_patch(a, b) FROM pairs" >"$dir/pairs"
  way json_patch statement 0 "" "SELECT count(json_patch(a, b)) FROM pairs"
  way tree_diff statement 0 "" "SELECT count(tree_diff(a, b)) FROM pairs"
  program jsonpatch jsonpatch "$dir/pairs"
  program deepdiff deepdiff "$dir/pairs"
  take_turns
  row="| $name |"
  for number in "${!ways[@]}"; do
    row+=" $(cell "$name" "$number" 1) |"
  done
  read -r count fewer more < <("$python" bench/peers.py sizes "$dir/pairs" || echo failed)
  case $count in
    not) row+=" - | not installed |" ;;
    failed) exit 1 ;;
    *) row+=" $count | $((100 * fewer / count)) %, $((100 * more / count)) % |" ;;
  esac
  echo "$row"
  ways=()
}

mkdir -p build/bench
echo "comparison,way,seconds,least,greatest,rows" >build/bench/peers.csv
sql -c "CREATE EXTENSION ted" -c "CREATE EXTENSION pg_trgm" -c "CREATE EXTENSION fuzzystrmatch"
test/collections/load.sh mime iso3166_2 iso639_3 cldr_unit pyast pyast_json
sql <<SQL
CREATE TABLE functions AS SELECT id, doc::tree FROM pyast;
CREATE TABLE labels AS
SELECT row_number() OVER (ORDER BY md5(name)) AS id, name
FROM (SELECT label FROM functions, tree_nodes(doc)
  UNION SELECT label FROM iso3166_2, tree_nodes(doc::tree)
  UNION SELECT label FROM iso639_3, tree_nodes(doc::tree)
  UNION SELECT label FROM cldr_unit, tree_nodes(doc::tree)
  UNION SELECT label FROM mime, tree_nodes(doc::tree)) l (name)
WHERE length(name) BETWEEN 10 AND 40 AND name ~ U&'^[ -~\\00A0-\\024F\\1E00-\\1EFF]+\$' AND name ~ '[[:alpha:]]{3}'
ORDER BY id LIMIT $labels;
CREATE INDEX labels_gin ON labels USING gin (name gin_trgm_ops);
CREATE TABLE iso3166_1 AS
SELECT doc FROM jsonb_array_elements(pg_read_file('/usr/share/iso-codes/json/iso_3166-1.json')::jsonb -> '3166-1') r (doc);
SQL
sql -F $'\t' -c "SELECT id, name FROM labels ORDER BY id" >"$dir/labels"
for table in mime cldr_unit; do
  sql -c "CREATE TABLE ${table}_json (doc jsonb)"
  sql -c "COPY (SELECT doc FROM $table) TO STDOUT" | /usr/bin/python3 bench/peers.py xml |
    sql -c "COPY ${table}_json FROM STDIN"
done
load_names "$dir/names" "$names" "$queries" ours gin
sql -c "CREATE INDEX ours_index ON ours USING profile (name)" \
  -c "CREATE INDEX gin_index ON gin USING gin (name gin_trgm_ops)" -c "VACUUM ANALYZE"
sql -F $'\t' -c "TABLE queries" >"$dir/queries"

length=$(sql -c "SELECT round(avg(length(name))) FROM labels")
echo
echo "$labels labels of $length characters on average, $names names, $(sql -c "SELECT count(*) FROM functions") functions;" \
  "times, and rows found"
"$python" bench/peers.py versions
echo
echo "| | by | time | rows |"
echo "| --- | --- | --- | --- |"

memory="SET work_mem = '256MB'"
fifth="greatest(length(a.name), length(b.name)) / 5"
for similarity in 0.8 0.9; do
  ted "$memory" "$(pairs_of labels "lcs_similarity(a.name, b.name) >= $similarity")"
  program "rapidfuzz cdist" cdist "$dir/labels" "${similarity#0.}0"
  if [[ $similarity == 0.8 ]]; then
    other "pg_trgm, GIN, 0.5" "$search_settings" "$(pairs_of labels "a.name % b.name")"
    other "levenshtein_less_equal, nested loop" "SET ted.enable_join = off" \
      "$(pairs_of labels "levenshtein_less_equal(a.name, b.name, $fifth) <= $fifth")"
  fi
  compare "all pairs of labels, similarity at least $similarity"
done

ted "$search_settings" "$(search ours "$similar")"
other "pg_trgm, GIN, 0.5" "$search_settings" "$(search gin "$trigrams")"
program "rapidfuzz extract" extract "$dir/names" "$dir/queries"
compare "a search of names, similarity at least 0.8; rows of $queries searches" "$queries"

# in one block
ted "SET work_mem = '2GB'; SET ted.max_memory = '4GB'" "$(pairs_of ours "lcs_similarity(a.name, b.name) >= 0.8")"
program "rapidfuzz cdist, $some of the names against all" cdist "$dir/names" 80 "$some"
compare "all pairs of names, similarity at least 0.8"

ted "$memory" "$(pairs_of functions "tree_edit_distance(a.doc, b.doc) <= 3")"
other "exact distance, nested loop" "SET ted.enable_join = off" \
  "$(pairs_of functions "tree_edit_distance(a.doc, b.doc) + 0 <= 3")"
compare "all pairs of functions, distance at most 3"

echo
echo "Differences of pairs of documents, mostly neighbors in sorted order; the number of pairs, and the shares of" \
  "patches with fewer, and with more, bytes than jsonpatch's"
echo
echo "| collection | \`json_patch\` | \`tree_diff\` | jsonpatch | deepdiff | pairs | patches |"
echo "| --- | --- | --- | --- | --- | --- | --- |"
text='doc::text COLLATE "C"'
compare_differences "ISO 3166-1" iso3166_1 "$text"
compare_differences "ISO 3166-2" iso3166_2 "$text"
compare_differences "ISO 639-3" iso639_3 "$text"
compare_differences "MIME types" mime_json "$text"
compare_differences "units" cldr_unit_json "$text"
compare_differences "Python functions" pyast_json "$text"
