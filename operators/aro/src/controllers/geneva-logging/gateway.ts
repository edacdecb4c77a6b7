import { isIP } from "node:net";
import type { ClusterSpec } from "@keelson/aro-api";

/** Log destination of the collectors. In the pods, its name resolves to the gateway's private endpoint. */
export interface Gateway {
  readonly ip: string;
  readonly hostname: string;
  readonly endpoint: string;
}

/**
 * Returns the cluster's gateway. `undefined` until the installation has created it.
 * @throws Error for an invalid address or name
 */
export function gatewayOf(spec: ClusterSpec): Gateway | undefined {
  const { gatewayPrivateEndpointIP: ip = "", gatewayTelemetryDomain: domain = "" } = spec;
  if (ip === "") return undefined;
  if (isIP(ip) === 0 || ip.includes("%"))
    throw new Error(
      `invalid cluster spec field "gatewayPrivateEndpointIP": ${JSON.stringify(ip)} is not a valid IP address`,
    );
  if (domain === "") throw new Error('invalid cluster spec field "gatewayTelemetryDomain": empty');
  const hostname = domain.toLowerCase();
  return { ip, hostname, endpoint: `${hostname}:4317` };
}
