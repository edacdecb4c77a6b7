#!/bin/sh
# Brings the outside clients that `make test-clients` drives, from Debian's packages.
# Debian's kubectl goes into .tools/clients, so that another kubectl of the machine stays as it is.
set -e
here=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
clients="$here/.tools/clients"

missing=""
command -v curl >/dev/null 2>&1 || missing="$missing curl"
command -v psql >/dev/null 2>&1 || missing="$missing postgresql-client"
command -v envsubst >/dev/null 2>&1 || missing="$missing gettext-base"
[ -x "$clients/usr/bin/kubectl" ] && have_kubectl=yes || have_kubectl=no
[ -z "$missing" ] && [ $have_kubectl = yes ] && exit 0

command -v apt-get >/dev/null 2>&1 || {
  echo "please install curl, psql, envsubst, and put kubectl into $clients/usr/bin" >&2
  exit 1
}
[ "$(id -u)" -ne 0 ] || apt-get update -qq
if [ -n "$missing" ]; then
  echo "installing$missing ..." >&2
  # shellcheck disable=SC2086 -- a list of words
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi
if [ $have_kubectl = no ]; then
  echo "unpacking Debian's kubernetes-client ..." >&2
  mkdir -p "$clients/download"
  (cd "$clients/download" && apt-get download -qq kubernetes-client)
  dpkg-deb -x "$clients"/download/kubernetes-client_*.deb "$clients"
  rm -rf "$clients/download"
fi
