#!/bin/sh
# Installs the azure-cli releases for `make test-clients` from PyPI, each in its own virtual environment below .tools/az. Debian
# 12's package is too old: it does not support network and role commands.
set -e
here=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
folder="$here/.tools/az"
releases="2.91.0 2.74.0"

# The first line of `az` contains an absolute path, which is wrong after the checkout was moved or copied.
installed() { [ "$(head -n 1 "$1/bin/az" 2>/dev/null)" = "#!$1/bin/python" ] && "$1/bin/python" -c ""; }

wanted=""
for release in $releases; do installed "$folder/$release" || wanted="$wanted $release"; done
[ -z "$wanted" ] && exit 0

. "$here/scripts/find-python.sh"

for release in $wanted; do
  echo "installing azure-cli $release from PyPI ..." >&2
  # Virtual environments contain absolute paths, so they cannot be moved. An incomplete environment is recreated.
  rm -rf "${folder:?}/$release"
  "$python" -m venv "$folder/$release" &&
    install_locked "$folder/$release/bin/python" "$here/scripts/python/azure-cli-$release.txt" || {
    rm -rf "${folder:?}/$release"
    exit 1
  }
done
