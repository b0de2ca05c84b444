#!/bin/bash
#
# scratch.sh [-s] [-v] [-p PATCH] COMMAND...
#	  Runs COMMAND with an extension of its own, built and installed beside the real one.
#
# A copy of the checkout is built, with -s under AddressSanitizer and
# UndefinedBehaviorSanitizer, with -p after PATCH, and installed into a copy of
# the server's programs.  COMMAND finds that server through PG_CONFIG; both
# copies go when it ends.  With -s, servers that COMMAND starts load the
# sanitizers' library, and write what it finds to their logs; with -v, they run under
# valgrind, which writes a log for each process to the folder VALGRIND_LOGS.
set -euo pipefail
unset MAKEFLAGS MAKELEVEL

sanitize=
valgrind=
patch=
while getopts svp: option; do
  case $option in
    s) sanitize=1 ;;
    v) valgrind=1 ;;
    p) patch=$(realpath "$OPTARG") ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))

checkout=$(realpath "$(dirname "$0")/../..")
debian=/usr/lib/postgresql/15/bin/pg_config
[[ ! -x $debian ]] || : "${PG_CONFIG:=$debian}"
original=${PG_CONFIG:-pg_config}
scratch=$("$checkout/test/as-user.sh" mktemp -d --tmpdir=/tmp --suffix=.ted)
chmod a+rx "$scratch"
trap 'rm -rf "$scratch"' EXIT

# The server's programs find their other files relative to themselves.
for option in bindir pkglibdir sharedir; do
  directory=$("$original" --$option)
  mkdir -p "$scratch/server$directory"
  cp -r "$directory/." "$scratch/server$directory"
done
copied=$scratch/server$("$original" --bindir)/pg_config

mkdir "$scratch/ted"
(cd "$checkout" && git ls-files -z --cached --others --exclude-standard |
  tar -c --null --files-from=- --ignore-failed-read) | tar -x -C "$scratch/ted"
[[ ! $patch ]] || patch -s -p1 -d "$scratch/ted" <"$patch"

options=()
if [[ $sanitize ]]; then
  options=(COPT="-fsanitize=address,undefined -fno-sanitize-recover=undefined \
-fno-omit-frame-pointer -O1 -g" with_llvm=no)
  # arenas of the core poison memory that PostgreSQL goes on to use for something else
  export ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:detect_stack_use_after_return=0:allow_user_poisoning=0
  export UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:print_stacktrace=1
fi
make -s -j2 -C "$scratch/ted" PG_CONFIG="$original" "${options[@]}"
make -s -C "$scratch/ted" install PG_CONFIG="$copied" "${options[@]}" >/dev/null

export PG_CONFIG=$copied
if [[ $valgrind ]]; then
  # initdb runs without valgrind
  mv "${copied%pg_config}postgres" "${copied%pg_config}postgres-alone"
  cat >"${copied%pg_config}postgres" <<'RUN'
#!/bin/bash
[[ $1 != -D ]] || watched=(valgrind --quiet --leak-check=no --num-callers=40 --suppressions="$VALGRIND_SUPPRESSIONS"
  --gen-suppressions=all --log-file="$VALGRIND_LOGS/%p.log")
exec "${watched[@]}" "$(dirname "$(realpath "$0")")/postgres-alone" "$@"
RUN
  chmod +x "${copied%pg_config}postgres"
fi
if [[ $sanitize ]]; then
  # The sanitizer starts with the first malloc().  If a library's constructor makes that
  # while it holds a lock of glibc's, the lock is never free again.
  echo '#include <stdlib.h>
        static __attribute__((constructor)) void start(void) { free(malloc(1)); }' |
    gcc -O0 -shared -fPIC -Wl,-z,initfirst -o "$scratch/start.so" -x c -
  LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so) $scratch/start.so"
  export LD_PRELOAD
fi
"$@"
