import { embedded } from "../state/embedded-defaults.ts";
import { type Endpoints, writeEndpoints } from "../state/endpoints.ts";
import type { InstanceState } from "./open-state.ts";

export interface EndpointOptions {
  /** True if the console of the simulated world runs. Default: false. */
  readonly hasConsole?: boolean;
  /** URL of the control API. Default: none. */
  readonly control?: string;
}

/** Returns the endpoints of an instance in a state directory. */
export function endpointsOf(
  { identity, local, ports }: InstanceState,
  { hasConsole = false, control }: EndpointOptions = {},
): Endpoints {
  const azure = `https://localhost:${ports.azure}`;
  return {
    rp: `https://localhost:${ports.rp}`,
    arm: azure,
    login: azure,
    graph: azure,
    keyVaultSuffix: "vault.azure.net",
    portal: `https://localhost:${ports.portal}`,
    clusters: `https://localhost:${ports.clusters}`,
    metrics: `http://localhost:${ports.metrics}/metrics`,
    admin: `https://localhost:${ports.admin}`,
    proxy: `http://127.0.0.1:${ports.proxy}`,
    dns: `127.0.0.1:${ports.dns}`,
    caFile: local.caFile,
    subscriptionId: identity.subscriptionId,
    tenantId: identity.tenantId,
    clientId: identity.user.clientId,
    clientSecret: identity.user.clientSecret,
    location: embedded.location,
    ...(hasConsole ? { console: `https://localhost:${ports.console}` } : {}),
    ...(control === undefined ? {} : { control }),
  };
}

/** Writes `endpoints.json` for clients of the instance. */
export function publishEndpoints(state: InstanceState, options?: EndpointOptions): Endpoints {
  const endpoints = endpointsOf(state, options);
  writeEndpoints(state.directory, endpoints);
  return endpoints;
}
