#!/bin/bash
#
# lint.sh
#	  What static checkers say of the sources, scripts and programs; nothing is built or run.
#
# clang-tidy, by .clang-tidy, and cppcheck read C, shellcheck and pyflakes the scripts.  Prints
# a line for each of them, as the suites do.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=test/setup.sh
. test/setup.sh lint

flags=(-std=gnu11 -D_GNU_SOURCE "-DTED_VERSION=\"1.0\"" -isystem "$("$PG_CONFIG" --includedir-server)"
  -I"$("$PG_CONFIG" --includedir)" -I/usr/include/libxml2)
mapfile -t sources < <(git ls-files 'src/*.c' 'test/*.c' 'bench/*.c' | grep -v '^test/fuzz/')
mapfile -t scripts < <(git ls-files '*.sh' .ci/run)
mapfile -t programs < <(git ls-files '*.py')

# Files for each process of clang-tidy.
batch=20

tidy()
{
  printf '%s\n' "${sources[@]}" |
    xargs -P "$(nproc)" -n $batch sh -c 'clang-tidy --quiet "$@" 2>/dev/null' "$0" "${flags[@]/#/--extra-arg=}"
}

# What cppcheck takes for uninitialised is set by the function that gets its address; it does not
# know that an error ends a function, and neither PostgreSQL's macros nor compound literals in
# conditional expressions.
cpp()
{
  cppcheck --quiet --error-exitcode=1 --inline-suppr --enable=warning,performance,portability \
    --std=c11 -j "$(nproc)" --template='{file}:{line}: {severity}: {message} [{id}]' \
    --suppress={uninitvar,uninitStructMember,ctuuninitvar,internalAstError,unknownMacro,nullPointer{,Arithmetic}RedundantCheck,shiftTooManyBitsSigned,zerodivcond} \
    src
}

status=0
number=0
printf '1..4\n'
for check in "clang-tidy" "cppcheck" "shellcheck" "pyflakes"; do
  number=$((number + 1))
  case $check in
    clang-tidy) found=$(tidy) ;;
    cppcheck) found=$(cpp 2>&1) ;;
    shellcheck) found=$(shellcheck --severity=warning "${scripts[@]}") ;;
    pyflakes) found=$(pyflakes3 "${programs[@]}") ;;
  esac && [[ -z $found ]] && echo "ok $number - $check" && continue
  echo "not ok $number - $check"
  printf '# %s\n' "${found//$'\n'/$'\n'# }"
  status=1
done
exit $status
