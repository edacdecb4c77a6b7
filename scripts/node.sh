#!/bin/sh
# Prints the path of a supported Node. Uses the system's Node or installs one from npm into .tools/node.
set -e
here=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
local_node="$here/.tools/node/node_modules/.bin/node"
list="$here/cmd/keelson/src/process/node-versions.json"
supported=$(sed -n 's/.*"supported": *\[\(.*\)\].*/\1/p' "$list" | tr -d ,)
pinned=$(sed -n 's/.*"pinned": *"\(.*\)".*/\1/p' "$list")
is_supported() {
  major=$("$1" -p 'process.versions.node.split(".")[0]' 2>/dev/null) || return 1
  case " $supported " in *" $major "*) ;; *) return 1 ;; esac
}
if command -v node >/dev/null 2>&1 && is_supported node; then command -v node; exit 0; fi
if [ -x "$local_node" ] && is_supported "$local_node"; then echo "$local_node"; exit 0; fi
command -v npm >/dev/null 2>&1 || { echo "keelson needs npm (any Node will do; Node $pinned is then fetched)" >&2; exit 1; }
echo "fetching Node $pinned into .tools/node ..." >&2
mkdir -p "$here/.tools/node"
cp "$here/scripts/node-runtime/package.json" "$here/scripts/node-runtime/package-lock.json" "$here/.tools/node/"
# The lock file pins the version and the integrity hash. Package scripts do not run.
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --prefix "$here/.tools/node" >&2
[ -x "$local_node" ] || { echo "npm has no Node $pinned for this platform: install Node $supported from https://nodejs.org" >&2; exit 1; }
echo "$local_node"
