#!/bin/bash
#
# plot.sh [FROM [TO]]
#	  Draws TO/*.svg from the CSV files of the benchmark in FROM, by gnuplot.
#
# Both are build/bench where they are not given.  The plots of doc/performance.md
# are drawn from what is kept: plot.sh bench/results doc/plots.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ! $(command -v gnuplot) ]]; then
  # shellcheck source=test/setup.sh
  (. test/setup.sh plot) || true
fi
if [[ ! $(command -v gnuplot) ]]; then
  echo "No plots: they need gnuplot, Debian's package gnuplot-nox."
  exit
fi

from=${1:-build/bench}
to=${2:-$from}
mkdir -p "$to"

# The file of a name, or the latest of those with a date behind it.
csv_file()
{
  local file latest=
  for file in "$from/$1.csv" "$from/$1"-[0-9]*.csv; do
    [[ ! -r $file ]] || latest=$file
  done
  echo "$latest"
}

# plot NAME TITLE X-AXIS PATTERN [CSV] [Y-AXIS]
# A line of time against size for each series and program that the pattern matches.
plot()
{
  local csv curve curves=()
  csv=$(csv_file "${5:-$1}")
  [[ $csv ]] || return 0
  while read -r curve; do
    curves+=("'< grep \"^${curve%,*},[^,]*,${curve##*,},\" $csv | sort -t, -k2,2n' using 2:4 title '${curve/,/, }'")
  done < <(awk -F, 'NR > 1 { print $1 "," $3 }' "$csv" | grep -E "$4" | awk '!seen[$0]++')
  ((${#curves[@]} > 0)) || return 0
  gnuplot <<GNUPLOT
set terminal svg size 800,600 background "white"
set output "$to/$1.svg"
set datafile separator ","
set title "$2"
set xlabel "$3"
set ylabel "${6:-seconds}"
set logscale xy
set format y "10^{%L}"
set key left top
set grid
set style data linespoints
plot $(printf '%s, ' "${curves[@]}" | sed 's/, $//')
GNUPLOT
  echo "$to/$1.svg"
}

# bars NAME TITLE WAY SECONDS PATTERN [CSV]
# A group for each case, which the first two columns of the CSV file name, and a
# bar for each way; WAY and SECONDS are columns.
bars()
{
  local csv
  csv=$(csv_file "${6:-$1}")
  [[ $csv ]] && grep -qE "$5" "$csv" || return 0
  gnuplot <<GNUPLOT
set terminal svg noenhanced size 1000,600 background "white"
set output "$to/$1.svg"
set title "$2"
set ylabel "seconds of processor time"
set logscale y
set yrange [$(awk -F, -v seconds="$4" -v pattern="$5" '
  NR > 1 && $0 ~ pattern && (!least || $seconds < least) { least = $seconds }
  END { x = log(least * 0.99) / log(10); printf "1e%d", x < int(x) ? int(x) - 1 : int(x) }' "$csv"):]
set format y "%g"
set key outside right top
set grid y
set style data histogram
set style histogram clustered
set style fill solid
set xtics rotate by -20
\$table << END
$(awk -F, -v way="$3" -v seconds="$4" -v pattern="$5" '
  NR == 1 || $0 !~ pattern { next }
  {
    group = $1 ", " $2
    value[group, $way] = $seconds
    if (!(group in seen)) { seen[group]; groups[++n] = group }
    if (!($way in known)) { known[$way]; ways[++m] = $way }
  }
  END {
    printf "case"
    for (j = 1; j <= m; j++) printf " \"%s\"", ways[j]
    for (i = 1; i <= n; i++) {
      printf "\n\"%s\"", groups[i]
      for (j = 1; j <= m; j++)
        printf " %s", (groups[i], ways[j]) in value ? value[groups[i], ways[j]] : "NaN"
    }
  }' "$csv")
END
plot for [i=2:$(awk -F, -v way="$3" -v pattern="$5" '
  NR > 1 && $0 ~ pattern && !seen[$way]++ { n++ } END { print n + 1 }' "$csv")] \$table using i:xtic(1) title columnheader
GNUPLOT
  echo "$to/$1.svg"
}

echo
plot ted "Exact tree edit distance, random trees" nodes '^random,'
plot bounded "Bounded tree edit distance of near-duplicates" nodes ',bounded$|^k = 3,exact'
plot mapping "Edit mapping" nodes '^random,'
plot lcs "Length of the LCS, random strings over 20 symbols" symbols '^20 symbols,'
plot lcs_similar "Length of the LCS, strings with 1 % edits" symbols .
plot lcs_string "LCS itself" symbols '^20 symbols,'
plot gpu_random "Exact tree edit distance on a GPU, random recursive trees" nodes '^random,' gpu
plot gpu_memory "Memory of the GPU, random recursive trees" nodes '^random,' gpu_memory bytes
for set in swissport python dblp synthetic; do
  plot gpu_$set "One kernel, and a launch a level in more and more ways: $set" nodes "^$set," gpu
done
plot gpu_table "A table of forest distances" "rows and columns" '^one table,' gpu
plot gpu_limits "10,000 pairs within limits of the GPU's memory" "limit, MB" '^limit,' gpu
plot tile "Width of a tile, strings of 60,000" "columns of a tile" .
plot work_mem "Self-joins of Python functions within distance 3" "work_mem, MB" .
bars exact "Exact tree edit distance" 3 4 .
bars ted_cases "Exact tree edit distance" 3 4 . ted
bars join "Self-joins of real documents" 4 5 .
