#!/bin/sh
# Installs Ansible, the collection azure.azcollection and its Azure SDKs from PyPI into .tools/ansible (2 GB). tests/ansible uses
# them.
set -e
here=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
directory="$here/.tools/ansible"
wanted="$here/scripts/python/ansible-12.2.0.txt"
cmp -s "$wanted" "$directory/installed.txt" && exit 0

. "$here/scripts/find-python.sh"
echo "installing Ansible from PyPI ..." >&2
rm -rf "${directory:?}"
"$python" -m venv "$directory"
install_locked "$directory/bin/python" "$wanted"
cp "$wanted" "$directory/installed.txt"
