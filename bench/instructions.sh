#!/bin/bash
#
# instructions.sh
#	  Instructions a cell of cases of the benchmark, on x86-64 by AVX2 and on 64-bit Arm.
#
# Valgrind counts those of x86-64 (it has no AVX-512), qemu those of Arm.  Each case runs
# TIMES and twice TIMES; the difference is free of what a program does once.
set -euo pipefail
unset MAKEFLAGS MAKELEVEL
cd "$(dirname "$0")/.."

for tool in valgrind qemu-aarch64 aarch64-linux-gnu-gcc; do
  if [[ ! $(command -v $tool) ]]; then
    echo "There is no $tool (Debian: valgrind, qemu-user, gcc-aarch64-linux-gnu, libc6-dev-arm64-cross)." >&2
    exit 1
  fi
done
make -s build/bench_instructions build/arm64_bench_instructions build/instruction_plugin.so

# x86 CASE BYTES TIMES
x86()
{
  valgrind --tool=callgrind --callgrind-out-file=/dev/null build/bench_instructions "$@" 2>&1 >/dev/null |
    sed -n 's/.*Collected : //p'
}

# arm CASE BYTES TIMES
arm()
{
  qemu-aarch64 -L /usr/aarch64-linux-gnu -plugin build/instruction_plugin.so build/arm64_bench_instructions "$@" 2>&1 >/dev/null |
    sed -n 's/^instructions: //p'
}

# Instructions of one run: count ARCHITECTURE CASE BYTES TIMES.
count()
{
  local once twice
  once=$("$1" "$2" "$3" "$4")
  twice=$("$1" "$2" "$3" $((2 * $4)))
  echo $(((twice - once) / $4))
}

echo "| case | AVX2 | Arm without vectors | NEON |"
echo "| --- | --- | --- | --- |"
for case in 0 1 2 3 4 5 6 7; do
  # a short run is repeated: its instructions are fewer than those of the start
  times=$((case == 6 ? 100 : 1))
  IFS=: read -r name cells < <(build/bench_instructions $case 0 1)
  awk -v name="$name" -v cells="${cells% cells}" -v avx2="$(count x86 $case 32 $times)" \
    -v plain="$(count arm $case 0 $times)" -v neon="$(count arm $case 16 $times)" '
    function number(x) { return sprintf(x < 1 ? "%.3f" : x < 100 ? "%.1f" : "%.0f", x) }
    BEGIN {
      printf "| %s | %s | %s (%.2f) | %s (%.2f) |\n", name, number(avx2 / cells), number(plain / cells), plain / avx2,
        number(neon / cells), neon / avx2 }'
done
