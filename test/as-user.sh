#!/bin/bash
#
# as-user.sh COMMAND...
#	  Runs COMMAND as an ordinary user: PostgreSQL's programs refuse to run as root.
#
# That is the caller, or, when root calls, postgres where there is such a user
# and ted-test, made on the spot, where there is none.
set -euo pipefail

if ((EUID != 0)); then
  exec "$@"
fi

user=postgres
if ! getent passwd $user >/dev/null; then
  user=ted-test
  getent passwd $user >/dev/null || useradd --system --no-create-home $user
fi
cd /
exec runuser -u $user -- "$@"
