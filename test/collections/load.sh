#!/bin/bash
#
# load.sh NAME...
#	  Makes a table of each collection of real documents: their ids and the documents.
#
# psql finds the server, which has to be on this machine, by libpq's environment.
# Where a collection is not there, says which of Debian's packages has it.
set -euo pipefail
cd "$(dirname "$0")/../.."
export PGCLIENTENCODING=UTF8

declare -A sources=(
  [mime]="shared-mime-info /usr/share/mime/packages/freedesktop.org.xml"
  [iso3166_2]="iso-codes /usr/share/iso-codes/json/iso_3166-2.json"
  [iso639_3]="iso-codes /usr/share/iso-codes/json/iso_639-3.json"
  [pyast]="python3 $(/usr/bin/python3 -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')"
  [pyast_json]="python3 $(/usr/bin/python3 -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')"
  [cldr_calendar]="unicode-cldr-core /usr/share/unicode/cldr/common/main"
  [cldr_unit]="unicode-cldr-core /usr/share/unicode/cldr/common/main"
)

for name; do
  read -r package path <<<"${sources[$name]}"
  if [[ ! -r $path ]]; then
    echo "There is no $path here, of Debian's package $package." >&2
    exit 1
  fi
  psql -X -q -v ON_ERROR_STOP=1 -v file="$path" -f "test/collections/$name.sql"
done
