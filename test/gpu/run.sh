#!/bin/bash
#
# run.sh
#	  The GPU module on a card: alone, then inside the server found through PGHOST.
#
# Prints TAP.  COUNT pairs of trees are held against the core (1,000,000), LARGE_COUNT large
# ones (100), strings for STRING_SECONDS seconds (60); SEED chooses them.
# Where ONLY is set, a regular expression, tests of other names are left out.
set -euo pipefail
cd "$(dirname "$0")/../.."

number=0

# Runs a test.
check()
{
  local name=$1 not=
  shift
  [[ $name =~ ${ONLY:-} ]] || return 0
  number=$((number + 1))
  "$@" || not='not '
  echo "${not}ok $number - $name"
}

# A program under a tool of compute-sanitizer, with the options that it takes.
sanitized()
{
  compute-sanitizer --error-exitcode 9 --tool "$@" >"$log" 2>&1 || { tail -n 20 "$log"; false; }
}

# Has those parts of a regression test computed by the processor that are millions of
# single pairs, or joins of blocks of a few documents, as these would take longer on a
# card than all other tests.  They are the plans that ours are compared with, what has next
# to no memory, and searches by an index.  So are statements that may use next to no memory,
# whose errors are about the processor's.
without_single_pairs()
{
  case ${1##*/} in index.* | search.* | string_index.*) echo 'SET ted.gpu = off;' ;; esac
  sed -E -e 's/(SET|SET LOCAL) ted\.enable_(join|nearest) = (off|on);/& \1 ted.gpu = \3;/' \
    -e "s/^SET work_mem = '64kB';/& SET ted.gpu = off;/" \
    -e "/64kB/!s/^SET work_mem = .*;/& RESET ted.gpu;/" \
    -e "s/^SET ted\.max_memory = '(64kB|1MB)';/& SET ted.gpu = off;/" \
    -e 's/RESET (ted\.enable_(join|nearest)|ted\.max_memory|work_mem);/& RESET ted.gpu;/' "$1"
}

# The regression tests, joins and pairs of trees on the card: the same output, but for
# the numbers of pairs that filters have removed, which are other filters there.
regression()
{
  local pgxs file same=0
  pgxs=$(pg_config --pgxs)
  mkdir "$out/sql" "$out/expected"
  for file in sql/*.sql expected/*.out; do
    without_single_pairs "$file" >"$out/$file"
  done
  # shellcheck disable=SC2046
  PGOPTIONS='-c ted.gpu=on -c ted.explain_hardware=off' \
    "${pgxs%/makefiles/pgxs.mk}/test/regress/pg_regress" --inputdir="$out" --outputdir="$out" \
    --bindir="$(pg_config --bindir)" --encoding=UTF8 --dbname=ted_gpu_regression \
    setup $(cd sql && printf '%s\n' *.sql | sed 's/\.sql$//' | grep -vx setup) >"$log" 2>&1 || true
  for file in "$out"/expected/*.out; do
    # what a processor without AVX-512 prints
    [[ $file != *_1.out ]] || continue
    diff -u -I '^ *Pairs ' -I '^ *Batches: ' "$file" "$out/results/${file##*/}" || same=1
  done
  return $same
}

# Runs SQL and compares what it prints.
prints()
{
  local got
  got=$(psql -XqAt -v ON_ERROR_STOP=1 -d ted_gpu -c "$1" 2>&1) || true
  [[ $got == "$2" ]] || { echo "# got: $got"; echo "# expected: $2"; false; }
}

# Runs a query on the card, with some settings, and on the processor: the same rows.  Of
# ted_engine_info(), a condition holds after the first run.
same()
{
  prints "SET ted.gpu = on; ${2:-}
    CREATE TEMP TABLE on_card AS $1;
    SELECT ${3:-pairs > 0 AND fallbacks = 0} FROM ted_engine_info();
    SET ted.gpu = off;
    CREATE TEMP TABLE on_processor AS $1;
    SELECT (SELECT md5(array_agg(c ORDER BY c)::text) FROM on_card c) =
      (SELECT md5(array_agg(p ORDER BY p)::text) FROM on_processor p)" $'t\nt'
}

# Processes that each take a part of a join.
parallel="SET min_parallel_table_scan_size = 0; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;
  SET max_parallel_workers_per_gather ="

# Several blocks of a join by several processes, of which the leader has a context.
in_blocks()
{
  same "SELECT a.id, b.id AS other, tree_edit_distance(a.doc, b.doc) FROM copies a JOIN copies b ON tree_edit_distance(a.doc, b.doc) <= 8 WHERE a.id < b.id" \
    "SET work_mem = '96kB'; SET ted.least_join_memory = '64kB'; $parallel 3;" true
}

# The same in a server of its own, all processes of which are looked over by compute-sanitizer.
in_sanitized_server()
{
  local dir status=0
  dir=$(test/as-user.sh mktemp -d --tmpdir=/tmp --suffix=.ted)
  test/as-user.sh initdb -D "$dir/data" -U "$PGUSER" -A trust -E UTF8 --locale=C -N >/dev/null
  test/as-user.sh compute-sanitizer --tool memcheck --target-processes all --log-file "$dir/sanitizer" \
    postgres -D "$dir/data" -k "$dir" -c listen_addresses= >"$dir/log" 2>&1 &
  until psql -Xq -h "$dir" -d postgres -c 'CREATE DATABASE ted_gpu' 2>/dev/null; do sleep 1; done
  psql -Xq -h "$dir" -v ON_ERROR_STOP=1 -d ted_gpu -f test/gpu/documents.sql
  PGHOST=$dir in_blocks || status=1
  test/as-user.sh pg_ctl -D "$dir/data" -m fast -s stop
  wait $! || true
  grep -q 'ERROR SUMMARY: 0 errors' "$dir/sanitizer" || { head -n 40 "$dir/sanitizer"; status=1; }
  rm -rf "$dir"
  return $status
}

# Each card gives the same distances, and so do all that share a batch, as they seem to be slow.
on_all_cards()
{
  local cards card
  cards=$(nvidia-smi -L | wc -l)
  for ((card = 0; card < cards; card++)); do
    same "$distances" "SET ted.gpu_devices = $card;" "devices = ARRAY[$card] AND fallbacks = 0" || return 1
  done
  same "$distances" "BEGIN; UPDATE ted_gpu_calibration SET cells_per_second = 1;" "cardinality(devices) = $cards AND fallbacks = 0"
}

# Many sessions at once use no more contexts of a card than they may, and all get the same answer.
many_sessions()
{
  local i jobs=() status=0
  psql -XqAt -d ted_gpu -c "LOAD 'ted'" -c "ALTER SYSTEM SET ted.gpu_max_contexts = 4" \
    -c "SELECT pg_reload_conf()" >/dev/null
  for i in $(seq 40); do
    psql -XqAt -d ted_gpu -c "SET ted.gpu = on" \
      -c "SELECT sum(d) FROM docs q, LATERAL (SELECT unnest(tree_edit_distances(q.doc, array_agg(doc))) d FROM docs) x WHERE q.id <= 3" \
      -c "SELECT contexts <= 4 * $(nvidia-smi -L | wc -l) FROM ted_engine_info()" >"$out/session.$i" 2>&1 &
    jobs+=($!)
  done
  for i in "${jobs[@]}"; do wait "$i" || status=1; done
  [[ $status == 0 && $(cat "$out"/session.* | sort | uniq -c | wc -l) == 2 ]] &&
    grep -qx t "$out/session.1" ||
    { cat "$out"/session.* | sort | uniq -c | head; false; }
}

# A statement that all cards would work on for seconds ends in time, once they have contexts.
cancelled()
{
  local milliseconds
  psql -XqAt -d ted_gpu -c "SET ted.gpu = on" \
    -c "BEGIN" -c "UPDATE ted_gpu_calibration SET cells_per_second = 1" \
    -c "SELECT tree_edit_distances(doc, ARRAY[doc, doc]) FROM big WHERE id = 1" -c "ROLLBACK" \
    -c "CREATE TEMP TABLE many AS SELECT array_agg(doc) AS docs FROM big, generate_series(1, 1500)" \
    -c "SET statement_timeout = '1000ms'" -c '\timing on' \
    -c "SELECT sum(d) FROM many, big, LATERAL (SELECT unnest(tree_edit_distances(doc, docs)) d) x" \
    >"$log" 2>&1 || true
  milliseconds=$(sed -n 's/^Time: \([0-9]*\).*/\1/p' "$log" | tail -n 1)
  echo "# ended after $milliseconds ms"
  grep -q 'canceling statement due to statement timeout' "$log" && ((milliseconds < 1100)) ||
    { cat "$log"; false; }
}

trees=build/gpu_ted
joins=build/gpu_join
string_joins=build/gpu_string_join
levels=build/gpu_levels
strings=build/lcs_gpu
out=$(mktemp -d)
log=$out/log
chmod 777 "$out"
trap 'rm -rf "$out"' EXIT

check "random pairs of all shapes and costs, two runs, against the core" \
  "$trees" check "${COUNT:-1000000}" "${SEED:-1}"
check "trees and copies with some edits up to limits, the same way" \
  "$trees" limits "$((${COUNT:-1000000} / 10))" "${SEED:-1}"
check "trees of thousands of nodes, together and alone, against the core" \
  "$trees" large "${LARGE_COUNT:-100}" "${SEED:-1}"
check "random pairs with costs by label, against the core" \
  "$trees" labels "$((${COUNT:-1000000} / 3))" "${SEED:-1}"
check "large pairs with costs by label, against the core" \
  "$trees" large_labels "$((${LARGE_COUNT:-100} / 10))" "${SEED:-1}"
check "distances of all subtrees, against the core" "$trees" subtrees 3000 "${SEED:-1}"
check "random joins, against the core" "$joins" check "${COUNT:-1000000}" "${SEED:-1}"
check "random joins of strings, against the plain table" \
  "$string_joins" check "$((${COUNT:-1000000} * 20))" "${SEED:-1}"
check "random joins within little memory, against the core" \
  "$joins" lists "$((${COUNT:-1000000} / 2))" "${SEED:-1}"
check "the benchmark's baseline on random pairs, two runs, against the core" \
  "$levels" check 2000 "${SEED:-1}"
check "random strings of all kinds, against the core" "$strings" check "${STRING_SECONDS:-60}"
for tool in memcheck synccheck; do
  check "compute-sanitizer $tool on trees" sanitized $tool "$trees" check 2000 7
  check "compute-sanitizer $tool on trees with costs by label" sanitized $tool "$trees" labels 500 7
  check "compute-sanitizer $tool on trees up to limits" sanitized $tool "$trees" limits 100 7
  check "compute-sanitizer $tool on joins" sanitized $tool "$joins" check 20000 7
  check "compute-sanitizer $tool on joins of strings" sanitized $tool "$string_joins" check 3000000 7
  check "compute-sanitizer $tool on strings" sanitized $tool "$strings" check 0.3
done
# it knows barriers, but not words by which one warp lets another go on; strips share no memory
check "compute-sanitizer racecheck on trees of one worker each" \
  sanitized racecheck --kernel-name-exclude kernel_substring=compute_tasks "$trees" check 500 7
check "compute-sanitizer racecheck on trees with costs by label" sanitized racecheck "$trees" labels 200 7
check "compute-sanitizer racecheck on joins" sanitized racecheck "$joins" check 5000 7
check "compute-sanitizer racecheck on joins of strings" sanitized racecheck "$string_joins" check 3000000 7
check "compute-sanitizer racecheck on strings" sanitized racecheck "$strings" check 0.3
check "regression tests with ted.gpu = on" regression
psql -Xq -d postgres -c 'CREATE DATABASE ted_gpu'
psql -Xq -v ON_ERROR_STOP=1 -d ted_gpu -f test/gpu/documents.sql
check "ted_gpu_calibrate() measures the card" \
  prints "SELECT count(*) FROM ted_gpu_calibrate()" 3
psql -Xq -d ted_gpu -c "SELECT * FROM ted_gpu_calibration"
distances="SELECT q.id, tree_edit_distances(q.doc, (SELECT array_agg(doc ORDER BY id) FROM docs)) FROM docs q WHERE id <= 20"
check "the same distances on the card and on the processor" same "$distances"
check "the same matches by the aggregate" same "SELECT unnest(tree_within_pairs(id, doc, 10)) FROM docs"
within="SELECT a.id, b.id AS other, tree_edit_distance(a.doc, b.doc) FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) <="
check "the same matches by TedJoin" same "$within 10 WHERE a.id < b.id"
check "the same matches within little memory" same "$within 14 WHERE a.id < b.id" "SET ted.gpu_memory_limit = '48MB';" \
  "pairs > 0 AND fallbacks = 0 AND used < 48 * 1024 * 1024"
for workers in 0 3; do
  check "the same matches of strings by TedJoin, and $workers workers" same "
    SELECT a.id, b.id AS other, lcs_length(a.word, b.word) FROM words a JOIN words b ON lcs_similarity(a.word, b.word) >= 0.75 WHERE a.id < b.id
    UNION ALL SELECT a.id, b.id, 0 FROM words a JOIN words b ON lcs_similarity(a.word, b.word || 'x') >= 0.8" "$parallel $workers;" true
done
check "the same matches in several blocks by several processes" in_blocks
check "compute-sanitizer memcheck on these" in_sanitized_server
check "the same on each card, and on all together, of $(nvidia-smi -L | wc -l)" on_all_cards
check "a single large pair" same "SELECT tree_edit_distance(a.doc, b.doc) FROM big a, big b WHERE a.id = 1 AND b.id = 2" \
  "" "pairs = 1 AND fallbacks = 0"
check "the same mappings" same "SELECT md5(array_agg(m)::text) FROM pairs, tree_edit_mapping(a, b, tree_costs(cost, 1, 2)) m" "
  CREATE TEMP TABLE pairs AS
    SELECT a.doc AS a, b.doc AS b, 2 AS cost FROM docs a, docs b WHERE a.id <= 20 AND b.id > 2980
    UNION ALL SELECT a.doc, b.doc, 1 FROM big a, big b WHERE a.id < b.id AND b.id < 5
    UNION ALL SELECT a.doc, b.doc, 1 FROM larger a, larger b WHERE a.id < b.id
    UNION ALL SELECT a.doc, b.doc, 3 FROM larger a, big b WHERE a.id = b.id;" "pairs > 300 AND fallbacks = 0"
check "the same lengths of one string and many" same "
  SELECT q.m, n.wide, lcs_lengths(q.text, array_agg(t.text ORDER BY t.id)) FROM patterns q, (VALUES (false), (true)) n(wide),
    LATERAL (SELECT id, CASE WHEN wide THEN text || 'ü' ELSE text END FROM texts) t GROUP BY q.m, q.text, n.wide" \
  "" "pairs = 22000 AND fallbacks = 0"
check "the same lengths of long pairs, of bytes and of characters" same "
  SELECT a.m, b.m AS n, lcs_length(a.text, b.text) l, lcs_length(a.text || 'ü', translate(b.text, 'ab', 'äö')) w FROM long a, long b" \
  "" "pairs = 50 AND fallbacks = 0"
check "the same subsequences of long pairs" same "
  SELECT a.m, b.m AS n, lcs(a.text, b.text || 'ü') l, scs(a.text, b.text) s FROM long a, long b" "" "pairs = 50 AND fallbacks = 0"
check "the same matches of strings" same \
  "SELECT unnest(lcs_similar_pairs(id, text || CASE WHEN id % 3 = 0 THEN 'ü' ELSE '' END, 0.34)) FROM texts"
check "auto takes the card for a long pair and for many strings" prints "
  SET ted.gpu = auto;
  SELECT lcs_length(repeat('ab', 300000), repeat('bca', 200000));
  SELECT count(*) FROM unnest(lcs_lengths(repeat('ab', 500), array_fill(repeat('bca', 333), ARRAY[400000])));
  SELECT pairs, fallbacks FROM ted_engine_info()" $'400000\n400000\n400001|0'
check "auto takes the card for a large batch" prints "
  SET ted.gpu = auto;
  SELECT count(*) FROM (SELECT unnest(tree_edit_distances(q.doc, array_agg(d.doc))) FROM big q, big d, generate_series(1, 20) GROUP BY q.doc) x;
  SELECT pairs > 0, fallbacks FROM ted_engine_info()" $'8000\nt|0'
check "statement_timeout lands while a kernel runs" cancelled
check "40 sessions share 4 contexts of a card" many_sessions
echo "1..$number"
