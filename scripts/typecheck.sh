#!/bin/sh
# Type-checks a project incrementally. Usage: scripts/typecheck.sh [PROJECT]. Default: all projects.
set -e
cd "$(dirname -- "$0")/.."
mkdir -p .tools
check() {
  state=.tools/types-$(echo "$1" | tr / -).tsbuildinfo
  # Checks for changed options because the compiler does not detect them.
  for configuration in tsconfig.json "$1"; do
    if [ "$configuration" -nt "$state" ]; then rm -f "$state"; fi
  done
  node_modules/.bin/tsc -p "$1" --incremental --tsBuildInfoFile "$state"
}
if [ $# -gt 0 ]; then
  check "$1"
else
  check tsconfig.json
  check services/portal-web/tsconfig.json
  check simulators/console/tsconfig.json
fi
