#!/bin/bash
#
# packages.sh VERSION
#	  Installs what the suites need beside a server of a version from apt.postgresql.org, as root.
set -euo pipefail
DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends \
  gcc clang libc6-dev make pkg-config libxml2-dev libxml2-utils python3 python3-jsonpatch \
  libtap-parser-sourcehandler-pgtap-perl libipc-run-perl \
  shared-mime-info iso-codes unicode-cldr-core unicode-data \
  "postgresql-$1" "postgresql-server-dev-$1" "postgresql-$1-pgtap"
