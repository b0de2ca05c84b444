# shellcheck shell=bash
#
# server.sh
#	  What the benchmarks of a server share.

# The rows of statements, without anything around them: sql OPTION OF PSQL...
sql()
{
  psql -X -q -A -t -v ON_ERROR_STOP=1 "$@"
}

# Processor time of a query, which PostgreSQL reports by itself, after some statements:
# server_seconds STATEMENTS QUERY [OPTION OF PSQL...]
server_seconds()
{
  local before=$1 query=$2
  shift 2
  psql -X -q -v ON_ERROR_STOP=1 "$@" <<SQL 2>&1 >/dev/null |
SET max_parallel_workers_per_gather = 0;
SET jit = off;
$before;
SET client_min_messages = log;
SET log_executor_stats = on;
$query;
SQL
    awk '/s elapsed/ { printf "%.6f\n", $2 + $5 }'
}

# Milliseconds of processor time that building an index takes, after some statements:
# build_time STATEMENTS STATEMENT
build_time()
{
  psql -X -q -v ON_ERROR_STOP=1 <<SQL 2>&1 >/dev/null | awk '/s elapsed/ { printf "%.0f", ($2 + $5) * 1000 }'
SET max_parallel_maintenance_workers = 0;
$1;
SET client_min_messages = log;
SET log_statement_stats = on;
$2;
SQL
}

# Median, least and greatest of the numbers on standard input.
spread()
{
  sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)], v[1], v[NR] }'
}
