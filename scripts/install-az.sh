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

# A Python of 3.10 or later that can make environments with pip in them.
suits() { "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; }
find_python() { for each in python3 /usr/bin/python3; do suits "$each" && echo "$each" && return; done; return 0; }
python=$(find_python)
if [ -z "$python" ] && command -v apt-get >/dev/null 2>&1; then
  echo "installing python3-venv ..." >&2
  [ "$(id -u)" -ne 0 ] || apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-venv >/dev/null
  python=$(find_python)
fi
[ -n "$python" ] || {
  echo "please install Python 3.10 or later with venv, for azure-cli" >&2
  exit 1
}

for release in $wanted; do
  echo "installing azure-cli $release from PyPI ..." >&2
  # Its programs name their own folder, so that it is made where it stays; what is half made is made anew.
  rm -rf "${folder:?}/$release"
  "$python" -m venv "$folder/$release" &&
    "$folder/$release/bin/python" -m pip install -q --disable-pip-version-check "azure-cli==$release" || {
    rm -rf "${folder:?}/$release"
    exit 1
  }
done
