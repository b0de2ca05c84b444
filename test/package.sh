#!/bin/bash
#
# package.sh
#	  Builds Debian packages from the archive of make dist, and installs and tests them.
#
# They are built and checked by lintian in one bare Debian 12, and installed by
# apt and tested in another.  Both lie below /tmp and go at the end.  Needs root,
# debootstrap, and Debian's packages, from MIRROR and MIRROR-security: by default
# from where this machine's apt takes those of Debian 12.  With nvcc in
# /usr/local/cuda, the package of the GPU module is among them.
set -euo pipefail

# Runs one stage of the test in a Debian below /tmp; the processes and mounts of the stage end with it.
in_debian()
{
  local root=$1
  # shellcheck disable=SC2016
  unshare --mount --pid --fork --kill-child bash -euc '
    mount -t proc proc "$0/proc"
    mount -t tmpfs tmpfs "$0/dev/shm"
    if [[ -x /usr/local/cuda/bin/nvcc ]]; then
      mkdir -p "$0/usr/local/cuda"
      mount --bind -o ro "$(realpath /usr/local/cuda)" "$0/usr/local/cuda"
    fi
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
      ${http_proxy:+"http_proxy=$http_proxy"} chroot "$0" bash /ted/package.sh "$1"' "$root" "$2"
}

# Builds all packages of the archive and has lintian check them.
build()
{
  local cuda=
  [[ ! -x /usr/local/cuda/bin/nvcc ]] || cuda=-Ppkg.ted.cuda
  apt-get -qq install --no-install-recommends dpkg-dev lintian unzip >/dev/null
  unzip -q ted-*.zip
  cd ted-*/
  apt-get -qq build-dep --no-install-recommends . >/dev/null
  dpkg-buildpackage -b -us -uc ${cuda:+"$cuda"}
  cd ..
  lintian --allow-root --fail-on error --info ./*.changes
}

# Installs the packages by apt, uses the extension, and runs the packages' own test.
install()
{
  local packages
  mkdir -p /etc/postgresql-common/createcluster.d
  echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.d/ted.conf
  mapfile -t packages < <(compgen -G './postgresql-*-ted_*.deb'; compgen -G './postgresql-*-ted-cuda_*.deb')
  apt-get -qq install --no-install-recommends "${packages[@]}" >/dev/null
  dpkg -l 'postgresql-*-ted*' | tail -n +6
  pg_virtualenv -t psql -X -v ON_ERROR_STOP=1 -c "CREATE EXTENSION ted" -c "CREATE EXTENSION ted_distributed" \
    -c "SELECT tree_edit_distance('{a{b}{c}}', '{a{c}}')"

  apt-get -qq install --no-install-recommends unzip make postgresql-all pkg-config libxml2-dev >/dev/null
  unzip -q ted-*.zip
  cd ted-*/
  debian/tests/installcheck
  apt-get -qq remove 'postgresql-*-ted' >/dev/null
}

case ${1:-} in
  build | install)
    cd /ted
    # no service starts in here
    printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
    chmod +x /usr/sbin/policy-rc.d
    echo 'Dpkg::Use-Pty "0";' >/etc/apt/apt.conf.d/ted
    apt-get -qq update
    "$1"
    exit
    ;;
esac

: "${MIRROR:=$(apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 'Created-By: Packages' |
  sed -n '/^bookworm /{s///;s,/*$,,;p;q}')}"
: "${MIRROR:?says where Debian 12 is}"
cd "$(dirname "$0")/.."
tmp=$(mktemp -d --tmpdir=/tmp --suffix=.ted-package)
trap 'rm -rf "$tmp"' EXIT
chmod 755 "$tmp"

debootstrap --variant=minbase bookworm "$tmp/build" "$MIRROR" >"$tmp/log" ||
  { tail "$tmp/log"; exit 1; }
echo "deb ${MIRROR}-security bookworm-security main" >>"$tmp/build/etc/apt/sources.list"
mkdir "$tmp/build/ted"
cp test/package.sh build/dist/ted-*.zip "$tmp/build/ted"
cp -a "$tmp/build" "$tmp/install"

in_debian "$tmp/build" build
mkdir -p build/packages
cp "$tmp"/build/ted/*.{deb,buildinfo,changes} build/packages
cp "$tmp"/build/ted/*.deb "$tmp/install/ted"
in_debian "$tmp/install" install
echo "The packages are in build/packages."
