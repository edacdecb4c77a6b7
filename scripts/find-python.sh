# Must be sourced. Defines `install_locked`, and sets `python` to a Python 3.11 or later with the modules venv and pip. Installs Debian's Python if possible.
suits() { "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
find_python() { for each in python3 /usr/bin/python3; do suits "$each" && echo "$each" && return; done; return 0; }
python=$(find_python)
if [ -z "$python" ] && command -v apt-get >/dev/null 2>&1; then
  echo "installing python3-venv ..." >&2
  [ "$(id -u)" -ne 0 ] || apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-venv >/dev/null
  python=$(find_python)
fi
[ -n "$python" ] || {
  echo "please install Python 3.11 or later with venv" >&2
  exit 1
}

# Installs the packages of a list with versions and hashes: install_locked PYTHON LIST [OPTION...]. The list is also a constraint.
# Without it, pip resolves an extra, such as `requests[socks]`, to the newest version, and then rejects its hash.
install_locked() {
  interpreter=$1
  list=$2
  shift 2
  "$interpreter" -m pip install -q --disable-pip-version-check --require-hashes -c "$list" -r "$list" "$@"
}
