import { isIP } from "node:net";
import type { ClusterSpec } from "@keelson/aro-api";

/** Addresses and names that nodes resolve without DNS servers. */
export interface Endpoints {
  readonly domain: string;
  readonly apiIntIP: string;
  readonly gatewayDomains: readonly string[];
  /** IP address of the gateway. Empty if the cluster has no gateway. */
  readonly gatewayPrivateEndpointIP: string;
}

/**
 * Reads the endpoints of the Cluster. If this fails, nodes keep their current configuration.
 * @throws Error that names the invalid field
 */
export function parseEndpoints(spec: ClusterSpec = {}): Endpoints {
  const { domain = "", apiIntIP, gatewayDomains = [], gatewayPrivateEndpointIP = "" } = spec;
  return {
    apiIntIP: parseAddress("apiIntIP", apiIntIP),
    domain: parseDomain("domain", domain),
    gatewayDomains: gatewayDomains.map((each) => parseDomain("gatewayDomains", each)),
    // Without gateway domains, the address of the gateway is not used. An invalid address is then ignored instead of rejected.
    gatewayPrivateEndpointIP:
      gatewayDomains.length > 0
        ? parseAddress("gatewayPrivateEndpointIP", gatewayPrivateEndpointIP)
        : isIP(gatewayPrivateEndpointIP) === 0
          ? ""
          : gatewayPrivateEndpointIP,
  };
}

/**
 * Validates an address. The errors have the same wording as the errors of ARO-RP's parser, because alerts may match this wording.
 */
export function parseAddress(field: string, value = ""): string {
  if (isIP(value) === 0 || value.includes("%"))
    throw new Error(`invalid ${field}: ParseAddr(${JSON.stringify(value)}): unable to parse IP`);
  return value;
}

const label = "[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?";
const domainName = new RegExp(`^(?=.{1,253}$)${label}(?:\\.${label})*$`);

/** Validates a domain. The domain becomes a line in files on the node, so only valid domain names are accepted. */
function parseDomain(field: string, value: string): string {
  if (!domainName.test(value))
    throw new Error(`invalid ${field}: ${JSON.stringify(value)} is not a domain name`);
  return value;
}
