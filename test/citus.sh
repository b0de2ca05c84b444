#!/bin/bash
#
# citus.sh
#	  Tests with Citus, on a coordinator and three workers, where PostgreSQL has it.
#
# PG_CONFIG selects the PostgreSQL installation, in which the extension is installed.
#
# Debian 12 has no package of Citus.  For Debian's PostgreSQL, install the packages
# libkrb5-dev, libselinux1-dev, libpam0g-dev, liblz4-dev and libzstd-dev, and in
# Citus's source, at the tag v13.2.2: ./configure --without-libcurl, make extension,
# make install-all.  Minor releases of PostgreSQL 15 that declare
# have_createdb_privilege() themselves, such as 15.20, refuse Citus's definition in
# src/include/pg_version_compat.h: give it another name there by a #define before it.
set -euo pipefail
unset MAKEFLAGS MAKELEVEL
cd "$(dirname "$0")/.."

debian=/usr/lib/postgresql/15/bin/pg_config
[[ ! -x $debian ]] || : "${PG_CONFIG:=$debian}"
: "${PG_CONFIG:=pg_config}"
if [[ ! -e $("$PG_CONFIG" --pkglibdir)/citus.so ]]; then
  echo "PostgreSQL has no Citus; test/citus.sh describes how to build it." >&2
  exit 1
fi

tmp=$(test/as-user.sh mktemp -d --tmpdir=/tmp --suffix=.ted)
trap 'rm -rf "$tmp"' EXIT
pgxs=$("$PG_CONFIG" --pgxs)
pgxs=${pgxs%/src/makefiles/pgxs.mk}
tar -c test/citus test/t/overloads.sql test/t/records.sql doc | test/as-user.sh tar -C "$tmp" -x
test/as-user.sh env -C "$tmp" PATH="$("$PG_CONFIG" --bindir):$PATH" TESTDIR="$tmp" \
  TESTDATADIR="$tmp/tmp_check" TESTLOGDIR="$tmp/tmp_check/log" \
  PG_REGRESS="$pgxs/src/test/regress/pg_regress" \
  prove -v -I "$pgxs/src/test/perl" "$tmp"/test/citus/*.pl ||
  { tail -n 60 "$tmp"/tmp_check/log/regress_log_*; exit 1; }
