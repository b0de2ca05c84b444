#!/bin/bash
#
# gpu.sh [FILE...]
#	  The GPU module beside one core and beside X-TED's algorithm: tables of
#	  Markdown, and build/bench/gpu*.csv.
#
# FILEs, <data set>_<nodes>.bracket, hold trees in bracket notation, one a line:
# the first two of each are a pair, and all of those of at most 1,000 nodes make
# a batch.
set -euo pipefail
cd "$(dirname "$0")/.."
levels=build/gpu_levels
mkdir -p build/bench
echo series,nodes,program,seconds >build/bench/gpu.csv
echo series,nodes,program,bytes >build/bench/gpu_memory.csv
batch=()
for file in "$@"; do
  [[ $file =~ _[2-9]000\. ]] || batch+=("$file")
done

nvidia-smi --query-gpu=name,driver_version,clocks.max.sm --format=csv,noheader
printf '\n### Random recursive trees\n\n'
"$levels" random
printf '\n### Where larger workers are faster\n\n'
"$levels" crossings
if (($# > 0)); then
  printf '\n### One kernel, and a launch a level in more and more ways\n\n'
  "$levels" ablation "$@"
  printf '\n### A batch of 10,000 pairs within limits of memory\n\n'
  "$levels" limits 10000 "${batch[@]}"
fi
printf '\n### Strings\n\n```\n'
build/lcs_gpu bench
printf '```\n'
