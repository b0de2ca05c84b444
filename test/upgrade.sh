#!/bin/bash
#
# upgrade.sh
#	  Holds upgraded databases against fresh ones.
#
# For each upgrade script, ted--A--B.sql or ted_distributed--A--B.sql, a database
# of version A with data, indexes and generated columns in use is upgraded to B,
# and has to be what a database is that has had B from the beginning: each object
# with its definition, comment and grants, and what queries find.  A version made
# up here, with a function added, one replaced and one dropped, proves that
# upgrades work while there is no script, and upgrades that leave something out
# prove the comparison.
# Works in a copy of the server.
set -euo pipefail

if [[ ${1:-} != inside ]]; then
  cd "$(dirname "$0")/.."
  exec test/hostile/scratch.sh test/with-server.sh test/upgrade.sh inside
fi

cd "$(dirname "$0")/.."
scripts=$("$PG_CONFIG" --sharedir)/extension
current=$(sed -n "s/^default_version = '\(.*\)'/\1/p" ted.control)
tmp=$(mktemp -d --tmpdir=/tmp --suffix=.ted-upgrade)
trap 'rm -rf "$tmp"' EXIT

sql()
{
  psql -X -q -A -t -v ON_ERROR_STOP=1 "$@"
}

# Makes a database that uses version $3 of extension $2, and the default one of the other.
make_database()
{
  sql -d postgres -c "CREATE DATABASE $1"
  sql -d "$1" -c "CREATE EXTENSION $2 VERSION '$3' CASCADE" -c "SET client_min_messages = warning" \
    -c "CREATE EXTENSION IF NOT EXISTS ted_distributed" -f test/upgrade/use.sql
}

# Prints all of a database, the members of its extensions included: what pg_upgrade has
# dumped, without numbers that are each database's own, and what queries find.
describe()
{
  pg_dump --binary-upgrade -d "$1" |
    sed -E "/binary_upgrade_set_/d; /^-- For binary upgrade, must preserve/d; /^\\\\(un)?restrict /d
      /^SET relfrozenxid/d; /^WHERE oid = '[0-9]+';/d; s/(binary_upgrade_create_empty_extension.*)'\{[0-9,]+\}'/\1/"
  sql -d "$1" -f test/upgrade/queries.sql
}

# Upgrades extension $1 of a database from version $2 to $3, and says in $tmp/diff where it differs from a fresh one.
same_after_upgrade()
{
  local status=0
  make_database upgraded "$1" "$2"
  make_database fresh "$1" "$3"
  sql -d upgraded -f test/upgrade/queries.sql >"$tmp/before"
  sql -d upgraded -c "ALTER EXTENSION $1 UPDATE TO '$3'"
  sql -d upgraded -f test/upgrade/queries.sql | diff -u "$tmp/before" - >"$tmp/diff" || status=1
  describe fresh >"$tmp/fresh"
  describe upgraded | diff -u "$tmp/fresh" - >>"$tmp/diff" || status=1
  sql -d postgres -c "DROP DATABASE upgraded" -c "DROP DATABASE fresh"
  return $status
}

number=0

# Prints a result as a line of TAP.
result()
{
  number=$((number + 1))
  if [[ $1 == 0 ]]; then
    echo "ok $number - $2"
  else
    echo "not ok $number - $2"
    failed=1
    sed 's/^/# /' "$tmp/diff"
  fi
}

# Makes up a version: test/upgrade/next.sql is its upgrade script, without the statement that $1 matches.
make_next()
{
  sed "/${1:-^$}/d" test/upgrade/next.sql >"$scripts/ted--$current--next.sql"
}

failed=0
for script in ted--*--*.sql ted_distributed--*--*.sql; do
  [[ -e $script ]] || continue
  extension=${script%%--*}
  versions=${script#"$extension"--}
  versions=${versions%.sql}
  status=0
  same_after_upgrade "$extension" "${versions%--*}" "${versions#*--}" || status=1
  result $status "$script"
done

# the same by editing the script of the version
sed -e '/^CREATE FUNCTION scs_length(a bytea, b bytea)/,/;$/d' \
  -e '/^COMMENT ON FUNCTION scs_length(bytea, bytea)/d' \
  -e '/^CREATE FUNCTION tree_depth(tree)/,/;$/s/COST 10/COST 20/' "ted--$current.sql" >"$scripts/ted--next.sql"
sed -n '/^CREATE FUNCTION upgrade_test/,$p' test/upgrade/next.sql >>"$scripts/ted--next.sql"

make_next
status=0
same_after_upgrade ted "$current" next || status=1
result $status "a version made up here"

for left_out in 'CREATE OR REPLACE' 'DROP' 'COMMENT' 'GRANT' 'CREATE OPERATOR'; do
  make_next "$left_out"
  status=0
  ! same_after_upgrade ted "$current" next || status=1
  result $status "an upgrade without its $left_out is found out"
done

echo "1..$number"
exit $failed
