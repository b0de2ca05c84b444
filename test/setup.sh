# shellcheck shell=bash
#
# setup.sh demo|test|lint|coverage|join|peers|plot [FORM]
#	  Sees to it that what the demo, the tests, the checkers, the benchmarks or the plots need is there.
#
# FORM is that of run.sh; the short one needs no clang, and the long one a compiler for 64-bit Arm, and qemu.
#
# Sourced by demo.sh, run.sh and the scripts in bench/.  On Debian, what is
# missing is installed from Debian's packages, and nothing is done where nothing
# is missing.  Leaves PG_CONFIG, and as_root, the prefix of a command that root
# must run.  Where the caller sets PG_CONFIG, the server it belongs to is used
# as it is.

version=15
as_root=()
if ((EUID != 0)) && [[ $(command -v sudo) ]]; then
  as_root=(sudo)
fi

# Ends the script with a message.
fail()
{
  printf '%s\n' "$@" >&2
  exit 1
}

# Prints those of the given packages that are not installed.
missing_packages()
{
  local package
  for package; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
      echo "$package"
  done
}

# Installs the given packages, and no PostgreSQL cluster along with them.
install_packages()
(
  conf=/etc/postgresql-common/createcluster.d/ted.conf
  apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y
    --no-install-recommends -o DPkg::Lock::Timeout=600)

  if ((EUID != 0 && ${#as_root[@]} == 0)); then
    fail "Some packages are missing. As root, run" "  apt-get install $*"
  fi
  echo "Installing $*"

  # The lists of packages are fetched only where those at hand do not do.
  "${apt[@]}" install --download-only "$@" 2>/dev/null || "${apt[@]}" update

  if [[ " $* " == *" postgresql-$version "* ]]; then
    trap '"${as_root[@]}" rm -f $conf; "${as_root[@]}" rmdir --ignore-fail-on-non-empty ${conf%/*}' EXIT
    "${as_root[@]}" mkdir -p ${conf%/*}
    echo "create_main_cluster = false" | "${as_root[@]}" tee $conf >/dev/null
  fi
  "${apt[@]}" install "$@"
)

# Ends the script unless everything is there, by whatever way it came.
check_tools()
{
  local name missing=()
  local tools=(gcc make pkg-config xmllint "$PG_CONFIG") files=()

  case $1 in
    test)
      tools+=(prove pg_prove /usr/bin/python3)
      [[ $2 == short ]] || tools+=(clang)
      ;;
    coverage) tools+=(gcovr) ;;
    lint) tools+=(clang-tidy cppcheck shellcheck pyflakes3) ;;
  esac
  for name in "${tools[@]}"; do
    [[ $(command -v "$name") ]] || missing+=("  program $name")
  done
  if [[ $(command -v "$PG_CONFIG") ]]; then
    files+=("$("$PG_CONFIG" --bindir)/initdb" "$("$PG_CONFIG" --pgxs)")
    if [[ $1 == test ]]; then
      files+=("$("$PG_CONFIG" --sharedir)"/extension/{pgtap,postgres_fdw}.control)
    fi
  fi
  if [[ $1 == test ]] && ! /usr/bin/python3 -c 'import jsonpatch' 2>/dev/null; then
    missing+=("  Python module jsonpatch")
  fi
  for name in "${files[@]}"; do
    [[ -r $name ]] || missing+=("  file $name")
  done
  if ((${#missing[@]} > 0)); then
    fail "This is missing here:" "${missing[@]}" \
      "PG_CONFIG chooses the PostgreSQL server to use by its pg_config."
  fi
}

# Installs what make has built, with root's rights where the place asks for them; takes variables for make.
install_extension()
{
  local lib share
  lib=$("$PG_CONFIG" --pkglibdir)
  share=$("$PG_CONFIG" --sharedir)/extension
  if [[ -w $lib && -w $share ]]; then
    make -s install PG_CONFIG="$PG_CONFIG" "$@"
  elif ((${#as_root[@]} > 0)) && "${as_root[@]}" make -s install PG_CONFIG="$PG_CONFIG" "$@"; then
    return
  elif [[ -r $share/ted.control ]]; then
    echo "$lib is not writable: going on with the ted that is installed there."
  else
    fail "$lib is not writable. As root, run" "  make install PG_CONFIG=$PG_CONFIG"
  fi
}

packages=(gcc libc6-dev make pkg-config libxml2-dev libxml2-utils shared-mime-info iso-codes)
if [[ $1 == plot ]]; then
  packages=(gnuplot-nox)
elif [[ -z ${PG_CONFIG:-} ]]; then
  packages+=("postgresql-$version" "postgresql-server-dev-$version")
fi
if [[ $1 == test || $1 == join || $1 == peers ]]; then
  packages+=(python3 unicode-cldr-core)
fi
if [[ $1 == test ]]; then
  packages+=(unicode-data libtap-parser-sourcehandler-pgtap-perl libipc-run-perl python3-jsonpatch)
  [[ ${PG_CONFIG:-} ]] || packages+=("postgresql-$version-pgtap")
  [[ ${2:-} == short ]] || packages+=(clang)
  if [[ ${2:-} == long || ${2:-} == all ]] && [[ $(uname -m) == x86_64 ]]; then
    packages+=(gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user)
  fi
fi
if [[ $1 == peers ]]; then
  packages+=(python3-jsonpatch python3-deepdiff python3-numpy)
  # which Debian has from 13 on
  [[ -z $(apt-cache madison python3-rapidfuzz 2>/dev/null) ]] || packages+=(python3-rapidfuzz)
fi
if [[ $1 == coverage ]]; then
  packages+=(gcovr)
fi
if [[ $1 == lint ]]; then
  packages+=(clang-tidy cppcheck shellcheck pyflakes3)
fi
if [[ $(command -v dpkg-query) && $(command -v apt-get) ]]; then
  mapfile -t packages < <(missing_packages "${packages[@]}")
  ((${#packages[@]} == 0)) || install_packages "${packages[@]}"
  : "${PG_CONFIG:=/usr/lib/postgresql/$version/bin/pg_config}"
fi
export PG_CONFIG=${PG_CONFIG:-pg_config}
[[ $1 == plot ]] || check_tools "$1" "${2:-}"
