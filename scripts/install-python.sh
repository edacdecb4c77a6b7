#!/bin/sh
# Installs PyPI packages into the virtual environment .tools/python. `make test-clients` uses them to test the Python packages in
# clients/.
set -e
here=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
folder="$here/.tools/python"
wanted="$here/scripts/python/tests.txt"
cmp -s "$wanted" "$folder/installed.txt" && exit 0

. "$here/scripts/find-python.sh"
echo "installing Python packages for tests from PyPI ..." >&2
rm -rf "${folder:?}"
"$python" -m venv "$folder"
"$folder/bin/python" -m pip install -q --disable-pip-version-check --require-hashes -c "$wanted" -r "$wanted"
# The packages are installed here because the virtual environments of az do not contain pytest.
"$folder/bin/python" -m pip install -q --disable-pip-version-check --require-hashes --target "$folder/pytest" \
  -r "$here/scripts/python/pytest.txt"
cp "$wanted" "$folder/installed.txt"
