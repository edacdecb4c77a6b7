import { join } from "node:path";
import type { ServiceConfig } from "@keelson/env";
import { embedded } from "../embedded-defaults.ts";
import { writeFileAtomically } from "../state/atomic-file.ts";
import { writeEndpoints } from "../state/endpoints.ts";
import { embeddedServiceConfig } from "./embedded-service-config.ts";
import type { OpenState } from "./open-state.ts";

/**
 * Writes `endpoints.json` for clients and `service.json` for resource providers of this state directory, which keep
 * their documents in it unless `database` names another place.
 */
export function publish(
  { directory, identity, local, ports }: OpenState,
  database?: ServiceConfig["database"],
) {
  const azure = `https://localhost:${ports.azure}`;
  const endpoints = {
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
  };
  const config = embeddedServiceConfig(directory, identity, ports, database);
  writeFileAtomically(join(directory, "service.json"), `${JSON.stringify(config, undefined, 2)}\n`, 0o600);
  writeEndpoints(directory, endpoints);
  return { endpoints, config };
}
