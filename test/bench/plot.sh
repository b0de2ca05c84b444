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

# plot NAME TITLE X-AXIS PATTERN [CSV] [Y-AXIS]
# A line of time against size for each series and program that the pattern matches.
plot()
{
  local csv=build/bench/${5:-$1}.csv curve curves=()
  [[ -r $csv ]] && grep -qE "$4" "$csv" || return 0
  while read -r curve; do
    curves+=("'< grep \"^${curve%,*},[^,]*,${curve##*,},\" $csv | sort -t, -k2,2n' using 2:4 title '${curve/,/, }'")
  done < <(awk -F, 'NR > 1 { print $1 "," $3 }' "$csv" | grep -E "$4" | awk '!seen[$0]++')
  gnuplot <<GNUPLOT
set terminal svg size 800,600 background "white"
set output "build/bench/$1.svg"
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
  echo "build/bench/$1.svg"
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

# Bars for joins: a group for each case, a bar for each way.
if [[ -r build/bench/join.csv ]]; then
  gnuplot <<GNUPLOT
set terminal svg noenhanced size 1000,600 background "white"
set output "build/bench/join.svg"
set title "Self-joins of real documents"
set ylabel "seconds of processor time"
set logscale y
set yrange [0.001:]
set format y "%g"
set key outside right top
set grid y
set style data histogram
set style histogram clustered
set style fill solid
set xtics rotate by -20
\$times << END
$(awk -F, '
  NR == 1 { next }
  { case = $1 ", " $2; way = $4; seconds[case, way] = $5 }
  !(case in seen) { seen[case]; cases[++n] = case }
  !(way in known) { known[way]; ways[++m] = way }
  END {
    printf "case"
    for (j = 1; j <= m; j++) printf " %s", ways[j]
    for (i = 1; i <= n; i++) {
      printf "\n\"%s\"", cases[i]
      for (j = 1; j <= m; j++)
        printf " %s", (cases[i], ways[j]) in seconds ? seconds[cases[i], ways[j]] : "NaN"
    }
  }' build/bench/join.csv)
END
plot for [i=2:$(cut -d, -f4 build/bench/join.csv | sort -u | wc -l)] \$times using i:xtic(1) title columnheader
GNUPLOT
  echo build/bench/join.svg
fi
