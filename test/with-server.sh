#!/bin/bash
#
# with-server.sh [-k] [-E ENCODING] [-c SETTING]... COMMAND...
#	  Runs COMMAND against a PostgreSQL server of its own.
#
# Data, log and the only socket of the server lie in a new directory under
# /tmp, so it meets no other server.  COMMAND finds it through PGHOST and
# PGUSER.  Both go when COMMAND ends; with -k, they stay when it ends well.
# A SETTING is a line of postgresql.conf.
set -euo pipefail

keep=
encoding=UTF8
settings=()
while getopts kE:c: option; do
  case $option in
    k) keep=1 ;;
    E) encoding=$OPTARG ;;
    c) settings+=("$OPTARG") ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))

as_user=$(realpath "$(dirname "$0")")/as-user.sh
debian=/usr/lib/postgresql/15/bin/pg_config
[[ ! -x $debian ]] || : "${PG_CONFIG:=$debian}"
export PG_CONFIG=${PG_CONFIG:-pg_config}
bindir=$("$PG_CONFIG" --bindir)
dir=

# Stops the server and removes its directory, or says how to.
cleanup()
{
  local status=$?
  trap '' HUP INT TERM
  [[ $dir ]] || exit $status
  if [[ $keep && $status == 0 ]]; then
    echo "The server is still running. To look around:"
    echo "  $bindir/psql -h $dir -U $PGUSER $PGDATABASE"
    echo "To stop and remove it:"
    echo "  $as_user $bindir/pg_ctl -D $dir/data -m immediate stop; rm -r $dir"
    exit
  fi
  if ((status > 0 && status < 128)) && [[ -f $dir/log ]]; then
    echo "The end of the server's log:"
    tail -n 40 "$dir/log"
  fi >&2
  if [[ -f $dir/data/postmaster.pid ]]; then
    "$as_user" "$bindir/pg_ctl" -D "$dir/data" -m immediate -s stop || true
  fi
  rm -rf "$dir"
  exit $status
}
trap cleanup EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Settings of the caller that lead to another server.
for name in "${!PG@}"; do
  [[ $name == PG_* ]] || unset "$name"
done

dir=$("$as_user" mktemp -d --tmpdir=/tmp --suffix=.ted)
export PATH=$bindir:$PATH PGHOST=$dir PGPORT=5432 PGUSER=postgres PGDATABASE=postgres
"$as_user" initdb -D "$dir/data" -U $PGUSER -A trust -E "$encoding" --locale=C -N >/dev/null
cat >>"$dir/data/postgresql.conf" <<CONF
listen_addresses = ''
unix_socket_directories = '$dir'
fsync = off
full_page_writes = off
CONF
printf '%s\n' "${settings[@]}" >>"$dir/data/postgresql.conf"
"$as_user" pg_ctl -D "$dir/data" -l "$dir/log" -s -w start

"$@"
