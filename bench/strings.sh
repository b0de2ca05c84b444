#!/bin/bash
#
# strings.sh
#	  Pairs of strings that SQL functions compare in a second, beside those of fuzzystrmatch and pg_trgm.
#
# A column is compared with a constant and with another column, once with
# strings that have nothing in common but chance, and once with edited copies.
# All ways take turns, for ROUNDS rounds, in a server of their own;
# a time is processor time and includes reading the table, which the first row of
# each table of figures has alone.
set -euo pipefail
unset MAKEFLAGS MAKELEVEL
cd "$(dirname "$0")/.."
# shellcheck source=bench/server.sh
. bench/server.sh
rounds=${ROUNDS:-5}

if [[ ${1:-} != inside ]]; then
  # shellcheck source=test/setup.sh
  . test/setup.sh join
  make -s all PG_CONFIG="$PG_CONFIG"
  install_extension
  dir=$(mktemp -d)
  trap 'rm -rf "$dir"' EXIT
  test/with-server.sh bench/strings.sh inside "$dir"
  exit
fi
dir=$2

# Conditions by name, on x and y of so many letters; a tenth of them are edited in a copy.
conditions()
{
  local letters=$1
  cat <<END
reading|x <> y
lcs_length|lcs_length(x, y) >= 0
lcs_similarity|lcs_similarity(x, y) >= 0
lcs_similar 0.5|lcs_similar(x, y, 0.5)
lcs_similar 0.8|lcs_similar(x, y, 0.8)
lcs_similar 0.9|lcs_similar(x, y, 0.9)
lcs_within $((letters / 5))|lcs_within(x, y, $((letters / 5)))
pg_trgm similarity|similarity(x, y) >= 0
END
  if ((letters <= 200)); then # longer strings may be refused
    cat <<END
levenshtein|levenshtein(x, y) >= 0
levenshtein_less_equal $((letters / 5))|levenshtein_less_equal(x, y, $((letters / 5))) <= $((letters / 5))
END
  fi
}

# What is compared, by name: a constant or a column, and another column.
comparisons="constant, unrelated|:'constant'|other
constant, copies|:'constant'|copy_of_first
columns, unrelated|doc|other
columns, copies|doc|copy"

# figures LETTERS ROWS
# Prints the table of figures, and adds lines of CSV.
figures()
{
  local letters=$1 rows=$2 round name condition comparison x y here number
  bench/letters.py "$letters" "$rows" >"$dir/strings"
  psql -X -q -v ON_ERROR_STOP=1 -c "SET client_min_messages = warning" -c "DROP TABLE IF EXISTS strings" \
    -c "CREATE TABLE strings (doc text, other text, copy text, copy_of_first text)" \
    -c "ALTER TABLE strings ALTER doc SET STORAGE PLAIN, ALTER other SET STORAGE PLAIN,
        ALTER copy SET STORAGE PLAIN, ALTER copy_of_first SET STORAGE PLAIN" \
    -c "\\copy strings FROM '$dir/strings'" -c "VACUUM ANALYZE strings"
  rm -f "$dir"/times_*
  for ((round = 0; round <= rounds; round++)); do
    number=0
    while IFS='|' read -r name condition; do
      while IFS='|' read -r comparison x y; do
        here=$(sed "s/\\bx\\b/$x/g; s/\\by\\b/$y/g" <<<"$condition")
        server_seconds "RESET jit" "SELECT count(*) FROM strings WHERE $here" \
          -v constant="$(head -n 1 "$dir/strings" | cut -f 1)" >>"$dir/times_$number"
        number=$((number + 1))
      done <<<"$comparisons"
    done < <(conditions "$letters")
    ((round)) || rm -f "$dir"/times_* # which warmed up
  done
  echo
  echo "| $letters letters, million pairs a second | constant, unrelated | constant, copies | columns, unrelated | columns, copies |"
  echo "| --- | --- | --- | --- | --- |"
  number=0
  while IFS='|' read -r name condition; do
    printf '| %s |' "$name"
    while IFS='|' read -r comparison x y; do
      spread <"$dir/times_$number" |
        awk -v rows="$rows" -v letters="$letters" -v name="$name" -v comparison="$comparison" \
          -v csv=build/bench/strings.csv '{
          printf " %.3g |", rows / $1 / 1e6
          printf "%d,\"%s\",\"%s\",%s,%s,%s\n", letters, name, comparison, $1 / rows, $2 / rows, $3 / rows >>csv }'
      number=$((number + 1))
    done <<<"$comparisons"
    echo
  done < <(conditions "$letters")
}

mkdir -p build/bench
echo "letters,function,compared,seconds,least,greatest" >build/bench/strings.csv
psql -X -q -c "CREATE EXTENSION ted" -c "CREATE EXTENSION fuzzystrmatch" -c "CREATE EXTENSION pg_trgm"
figures 20 100000
figures 100 20000
figures 1000 2000
