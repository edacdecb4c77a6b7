#!/bin/sh
# Installs the external clients for `make test-clients` from Debian's packages, including two browsers. Installs the
# kubectl of each Debian suite (bookworm, trixie, sid) into a separate directory below .tools/clients, because the versions send
# different requests. The system's kubectl stays unchanged. Installs Prometheus' promtool and a container registry into the same directory.
set -e
here=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
clients="$here/.tools/clients"
suites="bookworm trixie sid"

missing=""
command -v chromium >/dev/null 2>&1 || missing="$missing chromium"
command -v firefox-esr >/dev/null 2>&1 || missing="$missing firefox-esr"
command -v curl >/dev/null 2>&1 || missing="$missing curl"
command -v psql >/dev/null 2>&1 || missing="$missing postgresql-client"
command -v envsubst >/dev/null 2>&1 || missing="$missing gettext-base"
command -v zsh >/dev/null 2>&1 || missing="$missing zsh"
command -v fish >/dev/null 2>&1 || missing="$missing fish"
PATH="$PATH:/usr/sbin" command -v dnsmasq >/dev/null 2>&1 || missing="$missing dnsmasq-base"
# buildah builds the service's image and the Debian base image without a registry.
command -v buildah >/dev/null 2>&1 || missing="$missing buildah"
command -v mmdebstrap >/dev/null 2>&1 || missing="$missing mmdebstrap"
# podman runs the image in the same way as on the service's machines.
command -v podman >/dev/null 2>&1 || missing="$missing podman"
command -v runc >/dev/null 2>&1 || missing="$missing runc"
command -v nft >/dev/null 2>&1 || missing="$missing nftables"
debian="$clients/debian-root.tar"
wanted=""
for suite in $suites; do
  [ -x "$clients/$suite/usr/bin/kubectl" ] || wanted="$wanted $suite/kubectl"
done
[ -x "$clients/bookworm/usr/bin/docker-registry" ] || wanted="$wanted bookworm/docker-registry"
for program in promtool prometheus prometheus-alertmanager amtool; do
  [ -x "$clients/bookworm/usr/bin/$program" ] || wanted="$wanted bookworm/$program"
done
[ -z "$missing$wanted" ] && [ -f "$debian" ] && exit 0

command -v apt-get >/dev/null 2>&1 || {
  echo "please install chromium, firefox-esr, curl, psql, envsubst, dnsmasq, zsh, fish, buildah, podman, runc, nftables, mmdebstrap, put kubectl into $clients/{bookworm,trixie,sid}/usr/bin, and promtool, prometheus, prometheus-alertmanager, amtool and docker-registry into $clients/bookworm/usr/bin" >&2
  exit 1
}
[ "$(id -u)" -ne 0 ] || apt-get update -qq
if [ -n "$missing" ]; then
  echo "installing$missing ..." >&2
  # shellcheck disable=SC2086 -- a list of words
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi

# URL of this machine's Debian archive. The archive contains the other suites too.
archive=$(apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' 'Label: Debian' | head -n 1)
for each in $wanted; do
  suite=${each%/*} program=${each#*/}
  case "$each" in
    # Extracts only the program because the installed package would run a server.
    */promtool | */prometheus) package=prometheus ;;
    */amtool) package=prometheus-alertmanager ;;
    */prometheus-alertmanager) package=prometheus-alertmanager ;;
    */docker-registry) package=docker-registry ;;
    # The package kubernetes-client became a transitional package for kubectl in trixie.
    bookworm/kubectl) package=kubernetes-client ;;
    *) package=kubectl ;;
  esac
  echo "unpacking $package of Debian $suite ..." >&2
  apt="$clients/download/$suite"
  rm -rf "$apt"
  mkdir -p "$apt/sources" "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/package"

  printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' \
    "$archive" "$suite" /usr/share/keyrings/debian-archive-keyring.gpg >"$apt/sources/debian.sources"
  set -- -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$apt/sources" \
    -o Dir::State::Lists="$apt/lists" -o Dir::Cache="$apt/cache" -o Dir::State::status=/dev/null -o APT::Sandbox::User=root
  apt-get "$@" update
  (cd "$apt/package" && apt-get "$@" download "$package")
  mkdir -p "$clients/$suite"
  dpkg-deb --fsys-tarfile "$apt"/package/*.deb | tar -x -C "$clients/$suite" "./usr/bin/$program"
  # Alertmanager reads its templates from this directory only.
  if [ "$program" = prometheus-alertmanager ] && [ -w /usr/share ]; then
    dpkg-deb --fsys-tarfile "$apt"/package/*.deb | tar -x -C / ./usr/share/prometheus/alertmanager
  fi
  rm -rf "$apt"
done
rm -rf "$clients/download"

if [ ! -f "$debian" ]; then
  echo "unpacking a Debian of essential packages ..." >&2
  mkdir -p "$clients"
  mmdebstrap --quiet --variant=essential --include=ca-certificates,libstdc++6 "$(. /etc/os-release && echo "$VERSION_CODENAME")" \
    "$debian.new.tar" "$archive"
  mv "$debian.new.tar" "$debian"
fi
