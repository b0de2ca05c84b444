#!/bin/bash
#
# run.sh [SUITE...]
#	  Runs every test: the set-up, a strict build, the suites one after another.
#
# With arguments, only these suites follow the build.  Ends with one line, "N passed, N failed" and perhaps ", N skipped", over all
# suites.  SEED and COUNT reach the randomised tests.
# shellcheck disable=SC2317 # suite calls most functions by their names
set -euo pipefail
unset MAKEFLAGS MAKELEVEL
cd "$(dirname "$0")/.."
# shellcheck source=test/setup.sh
. test/setup.sh test

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

wanted=${*:+" $* "}
total_passed=0
total_failed=0
total_skipped=0

# Runs a suite, shows its output as it comes and adds up its results.
suite()
{
  local name=$1 start=$SECONDS status=0 passed failed skipped lost
  [[ $name == build || -z $wanted || $wanted == *" $name "* ]] || return 0
  shift
  printf '\n== %s\n' "$name"
  "$@" 2>&1 | tee "$tmp/log" || status=$?
  read -r passed failed skipped lost < <(awk "$count" "$tmp/log")
  if ((lost != 0 || (status != 0 && failed == 0) || passed + failed + skipped == 0)); then
    echo "$name: ended with status $status and without all of its results"
    failed=$((failed + 1))
  fi
  echo "== $name: $passed passed, $failed failed, $skipped skipped, $((SECONDS - start)) s"
  total_passed=$((total_passed + passed))
  total_failed=$((total_failed + failed))
  total_skipped=$((total_skipped + skipped))
}

# Prints the closing line and ends.
finish()
{
  printf '\n%d passed, %d failed' $total_passed $total_failed
  ((total_skipped == 0)) || printf ', %d skipped' $total_skipped
  echo
  exit $((total_failed > 0))
}

# Builds without a warning with both compilers; what gcc has built remains.
build()
{
  local number=0 compiler strict="-Wall -Wextra -Werror"
  # gcc's options from pg_config that clang does not know
  local unknown="-Wno-unknown-warning-option -Wno-ignored-optimization-argument"
  echo "1..2"
  for compiler in clang gcc; do
    make -s clean PG_CONFIG="$PG_CONFIG"
    [[ $compiler == clang ]] || unknown=
    number=$((number + 1))
    make -s -j2 PG_CONFIG="$PG_CONFIG" CC="$compiler" COPT="$strict $unknown" || printf 'not '
    echo "ok $number - $compiler builds without a warning"
  done
}

# Compiles the GPU module, and runs nothing, where there is a compiler for it.
cuda()
{
  echo "1..1"
  if [[ ! $(command -v nvcc /usr/local/cuda/bin/nvcc) ]]; then
    echo "ok 1 - the GPU module compiles # SKIP there is no nvcc"
    return
  fi
  make -s ted_cuda.so PG_CONFIG="$PG_CONFIG" || printf 'not '
  echo "ok 1 - the GPU module compiles"
}

# Runs the regression tests, also those with several sessions, and shows the differences.
regression()
{
  test/with-server.sh make -s installcheck PG_CONFIG="$PG_CONFIG" ||
    { cat regression.diffs output_iso/regression.diffs; false; }
}

# Runs the pgTAP tests in a database of their own.
pgtap()
{
  # shellcheck disable=SC2016
  test/with-server.sh bash -c '
    psql -Xq -c "CREATE EXTENSION pgtap" -c "CREATE EXTENSION ted" &&
      pg_prove -v test/pgtap/*.sql'
}

# Compares the extension with plain definitions and with known distances.
random()
{
  test/with-server.sh prove -v --exec /usr/bin/python3 test/random/run.py test/random/xted.py
}

# Tries as an ordinary user to crash the server.
hostile()
{
  test/with-server.sh /usr/bin/python3 test/hostile/run.py
}

# Runs the tests that start servers of their own, in a copy that an ordinary
# user can read.
servers()
{
  local pgxs
  pgxs=$("$PG_CONFIG" --pgxs)
  pgxs=${pgxs%/src/makefiles/pgxs.mk}
  make -s build/ted_fake.so PG_CONFIG="$PG_CONFIG"
  tar -c test/t test/collections doc ./*.md test/*.md test/hostile/README.md build/ted_fake.so |
    test/as-user.sh tar -C "$tmp" -x
  test/as-user.sh env -C "$tmp" PATH="$("$PG_CONFIG" --bindir):$PATH" TESTDIR="$tmp" \
    TESTDATADIR="$tmp/tmp_check" TESTLOGDIR="$tmp/tmp_check/log" \
    TED_FAKE_MODULE="$tmp/build/ted_fake" \
    PG_REGRESS="$pgxs/src/test/regress/pg_regress" \
    prove -v -I "$pgxs/src/test/perl" "$tmp"/test/t/*.pl ||
    { tail -n 40 "$tmp"/tmp_check/log/regress_log_*; false; }
}

tmp=$(test/as-user.sh mktemp -d /tmp/ted.XXXXXX)
trap 'rm -rf "$tmp"' EXIT

# One build at a time: others may be at work in the same checkout.
exec {lock}<.
flock $lock
suite build build
((total_failed == 0)) || finish
install_extension
exec {lock}<&-

suite core make -s check-core
suite CUDA cuda
suite regression regression
suite pgTAP pgtap
suite random random
suite hostile hostile
suite servers servers
finish
