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
install_locked "$folder/bin/python" "$wanted"
# The packages are installed here because the virtual environments of az do not contain pytest.
install_locked "$folder/bin/python" "$here/scripts/python/pytest.txt" --target "$folder/pytest"
cp "$wanted" "$folder/installed.txt"
