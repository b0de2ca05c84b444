#!/bin/bash
#
# bench.sh [FILE...]
#	  The GPU module beside one core: tables of Markdown, and build/bench/gpu.csv.
#
# FILEs hold trees in bracket notation, one a line: the first two of each are a
# pair, and all of those of at most 1,000 nodes make a batch.  GPU_TED and LCS_GPU
# are the programs, COLLECTION a file of many trees, whose pairs are verified as a
# join does.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=${GPU_TED:-build/gpu_ted}
mkdir -p build/bench
batch=()
for file in "$@"; do
  [[ $file =~ _(2000|4000|6000)\. ]] || batch+=("$file")
done

nvidia-smi --query-gpu=name,driver_version,clocks.max.sm --format=csv,noheader
printf '\n### Random recursive trees\n\n'
"$program" bench
if (($# > 0)); then
  printf '\n### Single pairs\n\n'
  "$program" single "$@"
  printf '\n### A batch of 10,000 pairs\n\n'
  "$program" batch 10000 "${batch[@]}"
fi
if [[ ${COLLECTION:-} ]]; then
  printf '\n### What a join verifies\n\n'
  for k in 3 10; do "$program" join 1000000 $k "$COLLECTION"; done
fi
printf '\n### Strings\n\n```\n'
"${LCS_GPU:-build/lcs_gpu}" bench
printf '```\n'
