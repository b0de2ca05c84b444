#!/bin/bash
#
# bench.sh [FILE...]
#	  The GPU module beside one core and beside X-TED's algorithm: tables of
#	  Markdown, and build/bench/gpu*.csv.
#
# FILEs, <data set>_<nodes>.bracket, hold trees in bracket notation, one a line:
# the first two of each are a pair, and all of those of at most 1,000 nodes make
# a batch.  GPU_TED, GPU_JOIN, GPU_LEVELS and LCS_GPU are the programs, COLLECTION a file of
# many trees, which is joined with itself, and whose pairs are verified as a join does.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=${GPU_TED:-build/gpu_ted}
levels=${GPU_LEVELS:-build/gpu_levels}
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
  printf '\n### Single pairs\n\n'
  "$program" single "$@"
  printf '\n### One kernel, and a launch a level in more and more ways\n\n'
  "$levels" ablation "$@"
  printf '\n### A batch of 10,000 pairs\n\n'
  "$program" batch 10000 "${batch[@]}"
  printf '\n### The batch within limits of memory\n\n'
  "$levels" limits 10000 "${batch[@]}"
fi
if [[ ${COLLECTION:-} ]]; then
  printf '\n### What a join verifies\n\n'
  for k in 3 10; do "$program" join 1000000 $k "$COLLECTION"; done
  printf '\n### Whole joins, by lists of rare labels and by windows of sizes\n\n'
  "${GPU_JOIN:-build/gpu_join}" time "$COLLECTION" 2 5 20
fi
printf '\n### Strings\n\n```\n'
"${LCS_GPU:-build/lcs_gpu}" bench
printf '```\n'
