#!/bin/sh
# Prints the path of a Node >= 24: the machine's, or one installed from npm into .tools/node.
set -e
here=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
local_node="$here/.tools/node/node_modules/.bin/node"
major() { "$1" -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0; }
if command -v node >/dev/null 2>&1 && [ "$(major node)" -ge 24 ]; then command -v node; exit 0; fi
if [ -x "$local_node" ] && [ "$(major "$local_node")" -ge 24 ]; then echo "$local_node"; exit 0; fi
command -v npm >/dev/null 2>&1 || { echo "keelson needs npm (any Node will do; Node 24 is then fetched)" >&2; exit 1; }
echo "fetching Node 24 into .tools/node ..." >&2
mkdir -p "$here/.tools/node"
cp "$here/scripts/node-runtime/package.json" "$here/scripts/node-runtime/package-lock.json" "$here/.tools/node/"
# The lock file has the version and the integrity. No script of a package runs.
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --prefix "$here/.tools/node" >&2
[ -x "$local_node" ] || { echo "npm has no Node 24 for this platform: install Node 24 from https://nodejs.org" >&2; exit 1; }
echo "$local_node"
