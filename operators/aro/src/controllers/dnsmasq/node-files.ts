import type { Endpoints } from "../../machine-configs/endpoints.ts";

/** Returns `/etc/dnsmasq.conf`. dnsmasq resolves the cluster's names and forwards all other names to the servers from DHCP. */
export function dnsmasqConf({
  domain,
  apiIntIP,
  ingressIP,
  gatewayDomains,
  gatewayPrivateEndpointIP,
}: Endpoints & { readonly ingressIP: string }): string {
  const addresses: readonly (readonly [domain: string, address: string])[] = [
    [`api.${domain}`, apiIntIP],
    [`api-int.${domain}`, apiIntIP],
    // The leading dot makes this entry match all subdomains.
    [`.apps.${domain}`, ingressIP],
    ...gatewayDomains.map((each) => [each, gatewayPrivateEndpointIP] as const),
  ];
  const lines = [
    "resolv-file=/etc/resolv.conf.dnsmasq",
    "dns-forward-max=10000",
    ...addresses.map(([name, address]) => `address=/${name}/${address}`),
    // Without these lines, dnsmasq 2.86 and later forward queries for record types other than A, for example AAAA. In versions up
    // to 2.85, the `local` lines must follow the `address` lines. If the `local` lines come first, dnsmasq returns NXDOMAIN for
    // the names.
    ...addresses.map(([name]) => `local=/${name}/`),
    "user=dnsmasq",
    "group=dnsmasq",
    "no-hosts",
    "cache-size=0",
  ];
  return `${lines.join("\n")}\n`;
}

/** Content of `/usr/local/bin/aro-dnsmasq-pre.sh`. 168.63.129.16 is Azure's resolver. Every node has a route to it. */
export const preStartScript = String.raw`#!/bin/bash
# Makes the node ask its own dnsmasq, and dnsmasq the servers that DHCP names. Running it again changes nothing.
set -euo pipefail

# Of all interfaces, each value once, in NetworkManager's order.
device_values() {
  nmcli --terse --escape no --fields "IP4.$1,IP6.$1" device show |
    sed -n "s/^IP[46]\.$1\[[0-9]*\]://p" | awk '$0 != "" && !seen[$0]++'
}

node_ip=$(ip -oneline route get 168.63.129.16 | sed -n 's/.* src \([^ ]*\).*/\1/p')
servers=$(device_values DNS)
searches=$(device_values DOMAIN | paste -s -d , -)
echo "node address: $node_ip; DNS servers: $(echo $servers); search domains: $searches"

if [[ -z $node_ip || -z $servers || -z $searches ]]; then
  echo "one of these is not known: the present configuration stays"
  exit 0
fi

{
  echo "# Written by aro-dnsmasq-pre.sh"
  sed "s/^/nameserver /" <<<"$servers"
} >/etc/resolv.conf.dnsmasq
chmod 0644 /etc/resolv.conf.dnsmasq

cat >/etc/NetworkManager/conf.d/aro-dns.conf <<END
# Written by aro-dnsmasq-pre.sh
[global-dns]
searches=$searches

[global-dns-domain-*]
servers=$node_ip
END

# NetworkManager may run already: /etc/resolv.conf follows its configuration.
nmcli general reload conf
nmcli general reload dns-rc
`;

export const dnsmasqUnit = `[Unit]
Description=Resolves the cluster's own names on this node, and forwards all others
After=network-online.target
Before=bootkube.service

[Service]
ExecStartPre=/bin/bash /usr/local/bin/aro-dnsmasq-pre.sh
ExecStart=/usr/sbin/dnsmasq -k
Restart=always
StandardOutput=journal+console
StandardError=journal+console

[Install]
WantedBy=multi-user.target
`;

/** `/etc/NetworkManager/dispatcher.d/99-dnsmasq-restart`. */
export const restartScript = `#!/bin/bash
# Servicing of an Azure host takes interfaces away and gives them back, and resolv.conf is rewritten: dnsmasq's
# pre-start script puts it right again. A dnsmasq that does not run yet is left to its unit.
interface=$1
action=$2

log() {
  logger -i -t '99-DNSMASQ-RESTART SCRIPT' -- "$*"
}

log_files() {
  for file in /etc/resolv.conf /etc/resolv.conf.dnsmasq; do
    log "$1: $(ls -lZ "$file" 2>&1)"
    log "$1: $file: $(cat "$file" 2>&1)"
  done
}

[[ $interface == eth* || $interface == enP* ]] || exit 0
[[ $action == up || $action == down ]] || exit 0

log "$interface is $action"
log_files "before the restart"
if systemctl try-restart dnsmasq; then
  log_files "after the restart"
else
  log "dnsmasq did not restart"
fi
`;
