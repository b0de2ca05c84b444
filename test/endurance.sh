#!/bin/bash
#
# endurance.sh HOURS
#	  Runs what finds faults the longer it runs, with sanitizers, for so many hours in all.
#
# A quarter goes to the fuzzers, a half to the hostile suite, a quarter to the random
# comparisons with plain definitions, with other seeds in each round; then a
# session runs a million statements, and its memory must not grow.  With PG_CONFIG of a
# server that was built with --enable-cassert, its assertions are checked, too.
# Ends with a line for each part; logs are in build/endurance/.
set -uo pipefail
unset MAKEFLAGS MAKELEVEL

cd "$(dirname "$0")/.." || exit
# shellcheck source=test/setup.sh
. test/setup.sh test
seconds=$(awk "BEGIN { print int($1 * 3600) }")
logs=$PWD/build/endurance
rm -rf "$logs"
mkdir -p "$logs"
export PG_CONFIG SEED

# Random comparisons with further seeds, until the time is over.
random_rounds()
{
  local end=$((SECONDS + $1)) status=0
  for ((SEED = ${SEED:-1}; SECONDS < end; SEED++)); do
    /usr/bin/python3 test/random/run.py || status=1
  done
  return "$status"
}

# A million statements in one session, 20,000 times those of statements.sql: no error, and no more memory than after 1,000 times.
million()
{
  set -o pipefail
  psql -Xq -v ON_ERROR_STOP=1 -f test/endurance/tables.sql &&
    { for ((round = 1; round <= 20000; round++)); do
        echo "\\set round $round"
        cat test/endurance/statements.sql
        ((round % 1000 != 0)) || echo "SELECT memory_used();"
      done; } | psql -XqAt -v ON_ERROR_STOP=1 |
      awk '/^memory/ { print $0 " kB, round " ++thousands ",000"; last = $2; if (!first) first = $2 }
           END { exit !(first && last < first * 1.05) }'
}

failed=0

# Runs one part and prints what became of it.
part()
{
  local name=$1 start=$SECONDS status=0
  shift
  "$@" >"$logs/$name.log" 2>&1 || status=$?
  ((status == 0)) || failed=1
  echo "$name: $((SECONDS - start)) s, $(summary "$name"), status $status"
}

# What a log counts.
summary()
{
  case $1 in
    fuzz) awk '/^stat::number_of_executed_units/ { n += $2 } END { print n " inputs" }' "$logs/fuzz.log" ;;
    million) tail -n 1 "$logs/million.log" ;;
    *) awk '/^ok / { ok++ } /^not ok / { bad++ } /^# SEED/ { rounds++ } /^# [0-9]+ statements:/ { line = ", " substr($0, 3) }
            END { print ok + 0 " passed, " bad + 0 " failed, " rounds + 0 " rounds" line }' "$logs/$1.log" ;;
  esac
}

export -f random_rounds million
export logs
part fuzz make -s fuzz FUZZ_SECONDS=$((seconds / 8))
part hostile test/hostile/scratch.sh -s test/with-server.sh /usr/bin/python3 test/hostile/run.py $((seconds / 2))
part random test/hostile/scratch.sh -s test/with-server.sh \
  bash -c "random_rounds $((seconds / 4))"
part million test/hostile/scratch.sh test/with-server.sh bash -c million
exit $failed
