#!/bin/bash
#
# planted.sh [PATCH...]
#	  Plants one fault of joins after another, and requires that the random tests find it.
#
# Each fault gets three seeds.  Prints TAP.  Without arguments, all of planted/ are taken.
set -euo pipefail

cd "$(dirname "$0")/../.."
shopt -s nullglob
patches=("$@")
((${#patches[@]} > 0)) || patches=(test/random/planted/*.patch)
export ONLY="cell_checks cluster_checks"
# shellcheck disable=SC2016
exec test/planted.sh "${patches[@]}" -- test/with-server.sh bash -c \
  'for seed in 1 2 3; do SEED=$seed /usr/bin/python3 test/random/run.py || break; done'
