#!/bin/bash
#
# statements.sh
#	  What statements that people write take, beside the plan without TedJoin or an index, and a reference.
#
# A statement, its plain plan and its reference take turns, for ROUNDS rounds.
# Times are processor time of one process with default settings.  The first run
# of a plain plan checks that it gives the same rows; what takes longer than
# LIMIT seconds then is not timed.  DOCUMENTS restricts collections to their
# first documents.  The statements are in statement_rows.sh.
set -euo pipefail
unset MAKEFLAGS MAKELEVEL
cd "$(dirname "$0")/.."
# shellcheck source=bench/server.sh
. bench/server.sh
rounds=${ROUNDS:-3}
limit=${LIMIT:-30}
documents=${DOCUMENTS:-1000000}

if [[ ${1:-} != inside ]]; then
  # shellcheck source=test/setup.sh
  . test/setup.sh join
  make -s all PG_CONFIG="$PG_CONFIG"
  install_extension
  dir=$(mktemp -d)
  trap 'rm -rf "$dir"' EXIT
  test/with-server.sh bench/statements.sh inside "$dir"
  ./bench/plot.sh
  exit
fi
dir=$2
export PGCLIENTENCODING=UTF8 PGOPTIONS="-c client_min_messages=warning"

# The plain plan: a nested loop over sequential scans.
plain="SET ted.enable_join = off; SET ted.enable_nearest = off; SET enable_indexscan = off; SET enable_bitmapscan = off"

# What is set for all ways of the rows to come.
settings="RESET jit"

# The answer of a query after some statements, with what a change has left of
# the table docs; else prints timeout or error.
answer()
{
  local query=${2/%ROLLBACK/SELECT count(*), sum(hashtext(docs::text)) FROM docs; ROLLBACK}
  sql 2>"$dir/error" <<SQL || { grep -q "statement timeout" "$dir/error" && echo timeout || echo error; }
SET max_parallel_workers_per_gather = 0;
SET statement_timeout = '${limit}s';
$1;
$query;
SQL
}

# The nodes of a query's plan that say how it finds pairs.
plan()
{
  local query=${2#BEGIN; }
  local nodes='Custom Scan \(\w+\)|Hash Join|Nested Loop( \w+)*|Bitmap Index Scan|Index( Only)? Scan|Seq Scan'
  sql <<SQL 2>/dev/null | grep -oE "$nodes" |
SET max_parallel_workers_per_gather = 0;
$1;
EXPLAIN (COSTS OFF) ${query%; ROLLBACK};
SQL
    awk '{ rank = /Custom/ ? 1 : /Index/ ? 2 : /Nested|Hash/ ? 3 : 4 }
      !least || rank < least { least = rank; name = $0 }
      END { gsub(/Custom Scan \(|\)/, "", name); print name ? name : "-" }' || true
}

# The seconds of a way and their spread, or why there are none.
cell()
{
  if [[ -s $dir/times_$1 ]]; then
    spread <"$dir/times_$1"
  else
    cat "$dir/failed_$1"
  fi
}

# Whether a goal is reached, by the seconds of the statement, the plain plan and the reference.
verdict()
{
  awk -v goal="$1" -v own="$2" -v plain="$3" -v reference="$4" -v limit="$limit" \
    -v plan="$(<"$dir/plan")" 'BEGIN {
    kind = substr(goal, 1, 1); number = substr(goal, 2)
    if (plain == "timeout") plain = limit
    if (kind == "p") reached = plan == number
    else if (own + 0 == 0) reached = 0
    else if (kind == "x") reached = reference + 0 > 0 && own <= number * reference
    else if (kind == "s") reached = own <= number
    else if (kind == "f") reached = plain + 0 > 0 && own * number <= plain
    else { print "-"; exit }
    print reached ? "yes" : "no" }'
}

# Prints a row of the table, and adds lines of CSV.
print_row()
{
  local name=$1 goal=$2 way own plain reference reached
  for way in own plain reference; do
    printf '"%s",%s,%s\n' "$name" "$way" "$(cell $way | tr ' ' ',')" >>build/bench/statements.csv
  done
  own=$(cell own) plain=$(cell plain) reference=$(cell reference)
  own=${own%% *} plain=${plain%% *} reference=${reference%% *}
  reached=$(verdict "$goal" "$own" "$plain" "$reference")
  awk -v name="$name" -v goal="$goal" -v plan="$(<"$dir/plan")" -v own="$own" -v plain="$plain" \
    -v reference="$reference" -v limit="$limit" -v verdict="$reached" '
    function seconds(x) { return x == "timeout" ? "> " limit : x + 0 > 0 ? sprintf("%.3g", x) : x }
    function ratio(a, b) { return a + 0 > 0 && b + 0 > 0 ? sprintf("%.3g", a / b) : "-" }
    BEGIN {
      wanted["x"] = "%s times the reference at most"; wanted["s"] = "%s s at most"
      wanted["f"] = "%s times faster than the plain plan"
      wanted["p"] = "%s"; wanted["-"] = "%s"
      printf "| %s | %s | %s | %s | %s | %s | %s | %s |\n", name, plan, seconds(own), seconds(plain),
        seconds(reference), ratio(own, reference),
        sprintf(wanted[substr(goal, 1, 1)], substr(goal, 2)), verdict }'
}

# The ways of a case that can be timed; of the others, why not.  Ends the script
# where the plain plan gives another answer.
check_ways()
{
  local name=$1 way got expected=
  for way in own plain reference; do
    got=${query[$way]}
    [[ $got == - ]] || got=$(answer "${before[$way]}" "$got")
    if [[ $got == - || $got == timeout || $got == error ]]; then
      echo "$got" >"$dir/failed_$way"
      unset "query[$way]"
    elif [[ $way == own ]]; then
      expected=$got
    elif [[ $way == plain && $expected && $got != "$expected" ]]; then
      echo "$name: the plain plan answers $got instead of $expected" >&2
      exit 1
    fi
  done
}

# case_of NAME GOAL QUERY [REFERENCE [PLAIN]]
# Runs a statement, the same by the plain plan, or PLAIN, and the reference; - stands for none.
# GOAL is x and a factor of the reference, s and seconds, f and how many times
# faster than the plain plan, p and the plan, or - for none.
case_of()
{
  local name=$1 goal=$2 round way
  local -A before=([own]=$settings [plain]="$settings; $plain" [reference]=$settings)
  local -A query=([own]=$3 [plain]=${5:-$3} [reference]=${4:--})
  rm -f "$dir"/{times,failed}_*
  plan "$settings" "$3" >"$dir/plan"
  check_ways "$name"
  for ((round = 0; round < rounds; round++)); do
    for way in own plain reference; do
      [[ ! ${query[$way]:-} ]] || server_seconds "${before[$way]}" "${query[$way]}" |
        awk '{ s += $1 } END { print s }' >>"$dir/times_$way"
    done
  done
  print_row "$name" "$goal"
}

# estimate NAME QUERY
# Prints how far the planner's estimate of a join's rows is from their number.
estimate()
{
  local estimated actual
  estimated=$(sql -c "SET max_parallel_workers_per_gather = 0" -c "EXPLAIN $2" |
    sed -n '1s/.* rows=\([0-9]*\).*/\1/p')
  actual=$(answer "$settings" "SELECT count(*) FROM ($2) q")
  awk -v name="$1" -v estimated="$estimated" -v actual="$actual" 'BEGIN {
    if (actual + 0 == 0) exit
    factor = actual > estimated ? actual / estimated : estimated / actual
    printf "| %s: rows estimated | %d of %d | | | | %.3g | within 10 times | %s |\n", name,
      estimated, actual, factor, factor <= 10 ? "yes" : "no" }'
}

# growth COLLECTION QUERY REFERENCE
# The seconds of a join and of the aggregate with more and more memory, as lines of CSV for a plot.
growth()
{
  local memory round way
  for memory in 1 2 4 8 16 64 256; do
    rm -f "$dir"/times_*
    for ((round = 0; round < rounds; round++)); do
      server_seconds "$settings; SET work_mem = '${memory}MB'" "$2" >>"$dir/times_TedJoin"
      server_seconds "$settings; SET work_mem = '${memory}MB'" "$3" >>"$dir/times_aggregate"
    done
    for way in TedJoin aggregate; do
      echo "$1,$memory,$way,$(cell $way | tr ' ' ',')" >>build/bench/work_mem.csv
    done
    echo "| $1 | $memory | $(cell TedJoin | cut -d' ' -f1) | $(cell aggregate | cut -d' ' -f1) |"
  done
}

mkdir -p build/bench
echo "statement,way,seconds,least,greatest" >build/bench/statements.csv
echo "documents,megabytes,way,seconds,least,greatest" >build/bench/work_mem.csv
sql -c "CREATE EXTENSION ted"

echo
echo "Seconds: of the statement, of the plain plan, and of a reference; their ratio; and the goal"
echo
echo "| statement | plan | seconds | plain plan | reference | ratio to it | goal | reached |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- |"
# shellcheck source=bench/statement_rows.sh
. bench/statement_rows.sh
