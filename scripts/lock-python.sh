#!/bin/sh
# Writes the versions and hashes of the Python packages for tests (scripts/python/*.txt) with uv from PyPI. Run it after a change
# of a version below or in clients/requirements-tests.txt. Commit the result.
set -e
here=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
. "$here/scripts/find-python.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install -q --disable-pip-version-check uv

lock() {
  "$folder/venv/bin/uv" pip compile -q --universal --generate-hashes --no-header --no-annotate --python-version 3.11 \
    --output-file "$here/scripts/python/$2.txt" "$1"
}
requirement() {
  echo "$1" >"$folder/requirement.in"
  lock "$folder/requirement.in" "$2"
}
lock "$here/clients/requirements-tests.txt" tests
requirement "$(grep ^pytest= "$here/clients/requirements-tests.txt")" pytest
for release in 2.91.0 2.74.0; do requirement "azure-cli==$release" "azure-cli-$release"; done
requirement "schemathesis==4.32.5" schemathesis-4.32.5
# Locks Ansible with the requirements.txt of the collection.
lock "$here/scripts/python/ansible-12.2.0.in" ansible-12.2.0
