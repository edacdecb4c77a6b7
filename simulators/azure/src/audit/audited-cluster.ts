import type { JsonValue } from "@keelson/base";
import { textAt } from "../base/json.ts";

/** What an audit knows of a cluster: from the service's list of all clusters in the version `admin`. */
export interface AuditedCluster {
  readonly id: string;
  readonly provisioningState: string;
  /** What the state was when it failed. */
  readonly failedProvisioningState: string | undefined;
  readonly resourceGroupId: string | undefined;
  readonly domain: string | undefined;
  readonly oidcIssuer: string | undefined;
  /** Of its service principal. */
  readonly clientId: string | undefined;
  /** Of its document, where known: it is part of names. */
  readonly key: string | undefined;
}

/** Reads a cluster as the service shows it. */
export function auditedCluster(cluster: JsonValue, key?: string): AuditedCluster {
  const property = (...path: readonly string[]) => textAt(cluster, "properties", ...path);
  return {
    id: textAt(cluster, "id") ?? "",
    provisioningState: property("provisioningState") ?? "",
    failedProvisioningState: property("failedProvisioningState"),
    resourceGroupId: property("clusterProfile", "resourceGroupId"),
    domain: property("clusterProfile", "domain"),
    oidcIssuer: property("clusterProfile", "oidcIssuer"),
    clientId: property("servicePrincipalProfile", "clientId"),
    key,
  };
}

/** Whether nothing is under way and its creation was finished once, so that all that it needs must be there. */
export function isSettled({ provisioningState, failedProvisioningState }: AuditedCluster): boolean {
  if (provisioningState === "Succeeded") return true;
  return provisioningState === "Failed" && /^(Admin)?Updating$/.test(failedProvisioningState ?? "");
}
