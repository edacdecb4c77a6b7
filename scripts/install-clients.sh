#!/bin/sh
# Installs the outside clients that `make test-clients` drives, from Debian's packages, if they are missing.
set -e
missing=""
command -v kubectl >/dev/null 2>&1 || missing="$missing kubernetes-client"
command -v curl >/dev/null 2>&1 || missing="$missing curl"
command -v psql >/dev/null 2>&1 || missing="$missing postgresql-client"
command -v envsubst >/dev/null 2>&1 || missing="$missing gettext-base"
[ -z "$missing" ] && exit 0
if ! command -v apt-get >/dev/null 2>&1 || [ "$(id -u)" -ne 0 ]; then
  echo "please install:$missing (Debian package names)" >&2
  exit 1
fi
echo "installing$missing ..." >&2
apt-get update -qq
# shellcheck disable=SC2086 -- a list of words
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
