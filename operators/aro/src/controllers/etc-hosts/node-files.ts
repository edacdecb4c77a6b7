import type { Endpoints } from "../../machine-configs/endpoints.ts";

/** Returns `/etc/hosts.d/aro.conf`. The file always has two lines, even without a gateway. */
export function hostsConf({ domain, apiIntIP, gatewayDomains, gatewayPrivateEndpointIP }: Endpoints): string {
  return [
    `${apiIntIP}\tapi.${domain} api-int.${domain}\n`,
    `${gatewayPrivateEndpointIP}\t${gatewayDomains.join(" ")}\n`,
  ].join("");
}

export const resolverScript = String.raw`#!/bin/bash
# Gives /etc/hosts the lines of aro.conf in the place of those that it had from there. Running it again changes nothing.
set -euo pipefail
marker="# openshift-aro-etchosts-resolver"
hosts=/etc/hosts
entries=/etc/hosts.d/aro.conf
merged=/etc/hosts.d/aro.tmp

cp -f "$hosts" "$merged"
# A last line without its end would take in the first of ours.
sed -e "/$marker/d" -e '$a\' "$hosts" >"$merged"
sed "s/$/ $marker/" "$entries" >>"$merged"
cmp --silent "$merged" "$hosts" || cp -f "$merged" "$hosts"
`;

export const resolverUnit = `[Unit]
Description=Adds the cluster's own names to /etc/hosts
Before=network-online.target

[Service]
Type=oneshot
ExecStart=/bin/bash /usr/local/bin/aro-etchosts-resolver.sh

[Install]
WantedBy=multi-user.target
`;
