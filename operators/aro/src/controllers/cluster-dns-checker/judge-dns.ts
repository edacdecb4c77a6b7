import { listAt } from "@keelson/base";

/** Maximum number of upstream servers in a message. */
const maxNamed = 50;

/** Checks the forwarding of the DNS `default` (operator.openshift.io). The message lists the upstream servers. */
export function judgeDns(dns: unknown): { readonly isGood: boolean; readonly message: string } {
  const servers = listAt(dns, "spec", "servers");
  if (servers.some((server) => listAt(server, "zones").includes(".")))
    return { isGood: false, message: 'malformed config: "." in zones' };
  const upstreams = servers
    .flatMap((server) => listAt(server, "forwardPlugin", "upstreams"))
    .filter((upstream) => typeof upstream === "string");
  if (upstreams.length === 0) return { isGood: true, message: "no in-cluster upstream DNS servers" };
  const more = upstreams.length > maxNamed ? `, and ${upstreams.length - maxNamed} more` : "";
  return {
    isGood: true,
    message: `custom upstream DNS servers in use: ${upstreams.slice(0, maxNamed).join(", ")}${more}`,
  };
}
