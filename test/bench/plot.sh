#!/bin/bash
#
# plot.sh
#	  Draws build/bench/*.svg from the CSV files of the benchmark, by gnuplot.
set -euo pipefail
cd "$(dirname "$0")/../.."

if [[ ! $(command -v gnuplot) ]]; then
  # shellcheck source=test/setup.sh
  (. test/setup.sh plot) || true
fi
if [[ ! $(command -v gnuplot) ]]; then
  echo "No plots: they need gnuplot, Debian's package gnuplot-nox."
  exit
fi

# plot NAME TITLE X-AXIS PATTERN
# A line of time against size for each series and program that the pattern matches.
plot()
{
  local csv=build/bench/$1.csv curve curves=()
  [[ -r $csv ]] || return 0
  while read -r curve; do
    curves+=("'< grep \"^${curve%,*},[^,]*,${curve##*,},\" $csv' using 2:4 title '${curve/,/, }'")
  done < <(awk -F, 'NR > 1 { print $1 "," $3 }' "$csv" | grep -E "$4" | awk '!seen[$0]++')
  gnuplot <<GNUPLOT
set terminal svg size 800,600 background "white"
set output "build/bench/$1.svg"
set datafile separator ","
set title "$2"
set xlabel "$3"
set ylabel "seconds"
set logscale xy
set format y "10^{%L}"
set key left top
set grid
set style data linespoints
plot $(printf '%s, ' "${curves[@]}" | sed 's/, $//')
GNUPLOT
  echo "build/bench/$1.svg"
}

echo
plot ted "Exact tree edit distance, random trees" nodes '^random,'
plot bounded "Bounded tree edit distance of near-duplicates" nodes ',bounded$|^k = 3,exact'
plot mapping "Edit mapping" nodes '^random,'
plot lcs "Length of the LCS, random strings over 20 symbols" symbols '^20 symbols,'
plot lcs_similar "Length of the LCS, strings with 1 % edits" symbols .
plot lcs_string "LCS itself" symbols '^20 symbols,'
plot tile "Width of a tile, strings of 60,000" "columns of a tile" .
