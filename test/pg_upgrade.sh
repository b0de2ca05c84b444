#!/bin/bash
#
# pg_upgrade.sh OLD NEW
#	  Has pg_upgrade bring a database with trees to a newer PostgreSQL, where all is as before.
#
# OLD and NEW are prefixes of installations, or their pg_config; ted is
# installed in both.  The database uses the extension in columns, generated
# columns, views and indexes of every method.  What queries find, and what is
# dumped of the extension's users, must be the same before and after.
set -euo pipefail
unset MAKEFLAGS MAKELEVEL

cd "$(dirname "$0")/.."
as_user=$PWD/test/as-user.sh
tmp=$("$as_user" mktemp -d --tmpdir=/tmp --suffix=.ted)
chmod 755 "$tmp"
server=
cleanup()
{
  [[ ! $server ]] || "$as_user" "$server/pg_ctl" -D "$tmp/data" -m immediate -s stop || true
  rm -rf "$tmp"
}
trap cleanup EXIT

# Builds and installs the extension for the server of a pg_config, and prints where its programs are.
installed()
{
  local config=$1
  [[ ! -d $config ]] || config=$config/bin/pg_config
  rm -rf "$tmp/ted"
  mkdir "$tmp/ted"
  git archive HEAD | tar -x -C "$tmp/ted"
  make -s -j2 -C "$tmp/ted" install PG_CONFIG="$config" with_llvm=no >/dev/null
  "$config" --bindir
}

# Makes a cluster in a folder below $tmp.
cluster()
{
  "$as_user" "$1/initdb" -D "$tmp/$2" -U postgres -A trust -E UTF8 --locale=C -N "${@:3}" >/dev/null
  cat >>"$tmp/$2/postgresql.conf" <<CONF
listen_addresses = ''
unix_socket_directories = '$tmp'
CONF
}

# Starts the cluster that $tmp/data leads to.
start()
{
  server=$1
  "$as_user" "$server/pg_ctl" -D "$tmp/data" -l "$tmp/data/log" -s -w start
}

stop()
{
  "$as_user" "$server/pg_ctl" -D "$tmp/data" -s -w stop
  server=
}

sql()
{
  "$server/psql" -X -q -A -t -v ON_ERROR_STOP=1 -h "$tmp" -U postgres -d postgres "$@"
}

# What queries find by indexes, and by scans once rows have been changed.
describe()
{
  sql -f test/upgrade/queries.sql
  sql -c "UPDATE docs SET doc = jsonb_set(doc, '{name}', to_jsonb('item ' || id)) WHERE id % 3 = 0"
  sql -f test/upgrade/queries.sql
  sql -c "SELECT extname, extversion FROM pg_extension WHERE extname ~ '^ted' ORDER BY 1"
}

old=$(installed "$1")
new=$(installed "$2")
checksums=()
# from version 18, clusters have checksums by default
[[ ! $("$new/initdb" --help) == *--no-data-checksums* ]] || checksums=(--no-data-checksums)
cluster "$old" old
cluster "$new" new "${checksums[@]}"

ln -s old "$tmp/data"
start "$old"
sql -c "CREATE EXTENSION ted_distributed CASCADE" -f test/upgrade/use.sql
stop
"$as_user" cp -r "$tmp/old" "$tmp/kept"
"$as_user" env -C "$tmp" "$new/pg_upgrade" -b "$old" -B "$new" -d "$tmp/old" -D "$tmp/new" -U postgres -s "$tmp" ||
  { tail -n 60 "$tmp"/new/pg_upgrade_output.d/*/log/pg_upgrade_dump_*.log; false; }

ln -sfn kept "$tmp/data"
start "$old"
describe >"$tmp/before"
stop
ln -sfn new "$tmp/data"
start "$new"
describe >"$tmp/after"
sql -c "SELECT version()"
stop
diff -u "$tmp/before" "$tmp/after"
echo "$(wc -l <"$tmp/after") lines of results are the same before and after"
