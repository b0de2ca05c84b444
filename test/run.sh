#!/bin/bash
#
# run.sh [short|long|all] [SUITE...]
#	  Builds, and runs the suites of a form side by side, one for each processor.
#
# The short form (the default) finds what a change breaks in minutes.  The long form tries more random cases, and builds
# more; "all" is the long form, and those suites of the short form that have no long form.  With names, only these suites are
# run.  What runs is told every 20 seconds; the output of a suite appears as a whole when it ends.  Ends with one line,
# "N passed, N failed" and perhaps ", N skipped".
# SEED and SCALE reach the randomised tests; LANES is how many suites run at a time.
set -euo pipefail
unset MAKEFLAGS MAKELEVEL
cd "$(dirname "$0")/.."
# The suites of each form: those that take longest first, and at last one that has a lane for each of its programs.
declare -A suites=(
  [short]="servers hostile regression random pgTAP core"
  [long]="servers hostile random arm64 bitcode core"
  [all]="servers hostile random arm64 bitcode regression pgTAP core"
)
form=short
case ${1:-} in short | long | all)
  form=$1
  shift
  ;;
esac
# shellcheck source=test/setup.sh
. test/setup.sh test "$form"
wanted=${*:+" $* "}
lanes=${LANES:-$(nproc)}
kinds="test sanitized"
[[ $form != short ]] || kinds="test"
# small queries that are planned as large ones are not compiled
server=(test/with-server.sh -c 'jit = off')

# Counts the results in a log: lines of TAP, and pg_regress's before version 16.
# shellcheck disable=SC2016
count='
/^1\.\.[0-9]+/              { planned += substr($1, 4) }
/^(not )?ok [0-9]+/         { ran++ }
/^ok [0-9]+/                { if (tolower($0) ~ /# *skip/) skipped++; else passed++ }
/^not ok [0-9]+/            { failed++ }
/ \.\.+ skipped: /          { skipped++ }
/^test .* \.\.\. ok /       { passed++ }
/^test .* \.\.\. FAILED/    { failed++ }
END { print passed + 0, failed + 0, skipped + 0, planned - ran }'

# a test that has ended
ended='^(not )?ok [0-9]|^test .* \.\.\. (ok|FAILED)'

total_passed=0
total_failed=0
total_skipped=0
alone=()

# Shows the output of a suite that has ended and adds up its results.
conclude()
{
  local form=$1 name=$2 status=$3 seconds=$4 log=$tmp/$1-$2.log passed failed skipped lost
  printf '\n== %s, %s form\n' "$name" "$form"
  cat "$log"
  read -r passed failed skipped lost < <(awk "$count" "$log")
  if ((lost != 0 || (status != 0 && failed == 0) || passed + failed + skipped == 0)); then
    echo "$name: ended with status $status and without all of its results"
    failed=$((failed + 1))
  fi
  echo "== $name, $form form: $passed passed, $failed failed, $skipped skipped, $seconds s"
  ((failed == 0)) || alone+=("test/run.sh $form $name")
  total_passed=$((total_passed + passed))
  total_failed=$((total_failed + failed))
  total_skipped=$((total_skipped + skipped))
}

# Tells every 20 seconds what runs: for how long, and how many tests have ended.
tell()
{
  local form name started line
  while sleep 20 >/dev/null 2>&1; do
    line=
    while read -r form name started; do
      line+="${line:+, }$name $((SECONDS - started)) s, $(grep -cE "$ended" "$tmp/$form-$name.log" || true) tests"
    done <"$tmp/running"
    [[ -z $line ]] || echo "[$SECONDS s] $line"
  done
}

# Writes down what runs, for tell().
note_running()
{
  printf '%s\n' "$@" >"$tmp/running.new"
  mv "$tmp/running.new" "$tmp/running"
}

# Prints what failed and the closing line, and ends.
finish()
{
  local command
  kill "$teller" 2>/dev/null || true
  wait "$teller" 2>/dev/null || true
  teller=
  for command in ${alone[@]+"${alone[@]}"}; do
    printf '\nThis failed; to run it alone: %s' "$command"
  done
  printf '\nIn all %d s\n%d passed, %d failed' $SECONDS $total_passed $total_failed
  ((total_skipped == 0)) || printf ', %d skipped' $total_skipped
  echo
  exit $((total_failed > 0))
}

# Runs a suite in the background, its output in a log.
start()
{
  local form=$1 name=$2
  # shellcheck disable=SC2030 # each suite has its own
  (
    if [[ $form == short ]]; then
      export SCALE=${SCALE:-0.1}
    fi
    "$name"
  ) >"$tmp/$form-$name.log" 2>&1 &
  running[$!]="$form $name $SECONDS"
  note_running "${running[@]}"
}

# Waits until a suite ends.
wait_for_one()
{
  local pid status=0 form name started
  wait -n -p pid "${!running[@]}" || status=$?
  read -r form name started <<<"${running[$pid]}"
  unset "running[$pid]"
  note_running "${running[@]}"
  conclude "$form" "$name" "$status" $((SECONDS - started))
}

# Runs the suites of a form, as many at a time as there are lanes.
run_form()
{
  local form=$1 name
  declare -A running=()
  for name in ${suites[$form]}; do
    [[ -z $wanted || $wanted == *" $name "* ]] || continue
    ((${#running[@]} < lanes)) || wait_for_one
    start "$form" "$name"
  done
  while ((${#running[@]} > 0)); do
    wait_for_one
  done
}

# Builds all that the suites run; but in the short form also the benchmarks, and has clang look at the extension's files and
# nvcc at the GPU module's.  There is no warning.
build()
{
  local target number=0 targets=(ted.so build/ted_fake.so core-tests)
  if [[ $form != short ]]; then
    targets+=(bench-programs check-clang)
    [[ ! $(command -v nvcc /usr/local/cuda/bin/nvcc) ]] || targets+=(check-cuda)
  fi
  make -s -k -j"$lanes" with_llvm=no PG_CONFIG="$PG_CONFIG" COPT=-Werror CORE_KINDS="$kinds" all "${targets[@]}" || true
  for target in "${targets[@]}"; do
    number=$((number + 1))
    make -s with_llvm=no PG_CONFIG="$PG_CONFIG" COPT=-Werror CORE_KINDS="$kinds" "$target" >/dev/null 2>&1 || printf 'not '
    echo "ok $number - $target is built without a warning"
  done
  echo "1..$number"
}

# Runs the core's own tests: in the long form, also under the sanitizers.
core()
{
  make -s check-core JOBS="$lanes" CORE_KINDS="$kinds"
}

# Runs the core's own tests for 64-bit Arm: a twentieth of them, since qemu takes 10 to 20 times as long.
arm64()
{
  local tool
  for tool in aarch64-linux-gnu-gcc qemu-aarch64; do
    if [[ ! $(command -v $tool) ]]; then
      echo "1..1"
      echo "ok 1 - the core's tests on 64-bit Arm # SKIP there is no $tool"
      return
    fi
  done
  SCALE=$(awk -v scale="${SCALE:-1}" 'BEGIN { print scale / 20 }') make -s check-core-arm64 JOBS=2
}

# Builds what a user's make builds, bitcode included, and runs the regression tests with JIT compilation.
bitcode()
{
  make -s -j2 PG_CONFIG="$PG_CONFIG"
  install_extension
  test/with-server.sh env PGOPTIONS='-c jit=on' make -s installcheck PG_CONFIG="$PG_CONFIG" ||
    { cat regression.diffs output_iso/regression.diffs; false; }
}

# Runs the regression tests, also those with several sessions, and shows the differences.
regression()
{
  "${server[@]}" make -s installcheck with_llvm=no PG_CONFIG="$PG_CONFIG" ||
    { cat regression.diffs output_iso/regression.diffs; false; }
}

# Runs the pgTAP tests in a database of their own.
pgTAP()
{
  # shellcheck disable=SC2016
  "${server[@]}" bash -c '
    psql -Xq -c "CREATE EXTENSION pgtap" -c "CREATE EXTENSION ted" -c "CREATE EXTENSION ted_distributed" &&
      pg_prove -v test/pgtap/*.sql'
}

# Compares the extension with plain definitions and with known distances.
random()
{
  "${server[@]}" prove -v --exec /usr/bin/python3 test/random/run.py test/random/xted.py
}

# Tries as an ordinary user to crash the server.
hostile()
{
  "${server[@]}" /usr/bin/python3 test/hostile/run.py
}

# Runs the tests that start servers of their own, in a copy that an ordinary user can read.
servers()
{
  local pgxs files
  pgxs=$("$PG_CONFIG" --pgxs)
  pgxs=${pgxs%/src/makefiles/pgxs.mk}
  files=$(test/as-user.sh mktemp -d --tmpdir="$tmp" --suffix=.servers)
  tar -c --exclude='*.o' --exclude='*.d' --exclude='*.bc' --exclude=__pycache__ \
    src cuda test sql expected doc bench demo ./*.md ./*.sql build/ted_fake.so |
    test/as-user.sh tar -C "$files" -x
  test/as-user.sh env -C "$files" SCALE="${SCALE:-1}" PATH="$("$PG_CONFIG" --bindir):$PATH" TESTDIR="$files" \
    TESTDATADIR="$files/tmp_check" TESTLOGDIR="$files/tmp_check/log" \
    TED_FAKE_MODULE="$files/build/ted_fake" ${SCALE:+TEMP_CONFIG="$files/test/t/quick.conf"} \
    PG_REGRESS="$pgxs/src/test/regress/pg_regress" \
    prove --timer -v -I "$pgxs/src/test/perl" "$files"/test/t/*.pl ||
    { tail -n 40 "$files"/tmp_check/log/regress_log_*; false; }
}

tmp=$(test/as-user.sh mktemp -d --tmpdir=/tmp --suffix=.ted)
teller=
trap '[[ -z $teller ]] || kill "$teller" 2>/dev/null || true; rm -rf "$tmp"' EXIT

# One build at a time: others may be at work in the same checkout.
exec {lock}<.
flock $lock
note_running "$form build $SECONDS"
tell {lock}<&- &
teller=$!
build >"$tmp/$form-build.log" 2>&1
conclude "$form" build 0 $SECONDS
((total_failed == 0)) || finish
install_extension with_llvm=no
exec {lock}<&-

run_form "$form"
finish
