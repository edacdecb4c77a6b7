#!/bin/sh
# Brings the releases of azure-cli that `make test-clients` drives, from PyPI, each into an environment of its own below
# .tools/az. Debian 12's own package is older, and cannot work with networks and roles.
set -e
here=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
folder="$here/.tools/az"
releases="2.91.0 2.74.0"

wanted=""
for release in $releases; do [ -x "$folder/$release/bin/az" ] || wanted="$wanted $release"; done
[ -z "$wanted" ] && exit 0

. "$here/scripts/find-python.sh"

for release in $wanted; do
  echo "installing azure-cli $release from PyPI ..." >&2
  # Its programs contain the path of their directory, so it cannot be moved. An incomplete directory is created again.
  rm -rf "${folder:?}/$release"
  "$python" -m venv "$folder/$release" &&
    "$folder/$release/bin/python" -m pip install -q --disable-pip-version-check --require-hashes \
      -r "$here/scripts/python/azure-cli-$release.txt" || {
    rm -rf "${folder:?}/$release"
    exit 1
  }
done
