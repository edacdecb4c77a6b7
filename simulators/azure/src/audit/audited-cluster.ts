import type { JsonValue } from "@keelson/base";
import { textAt } from "../base/json.ts";

/** Properties of a cluster for an audit, from the service's list of all clusters in API version `admin`. */
export interface AuditedCluster {
  readonly id: string;
  readonly provisioningState: string;
  /** State before the failure. */
  readonly failedProvisioningState: string | undefined;
  readonly resourceGroupId: string | undefined;
  readonly domain: string | undefined;
  readonly oidcIssuer: string | undefined;
  /** Client ID of its service principal. */
  readonly clientId: string | undefined;
  /** Key of its document, if known. Resource names contain it. */
  readonly key: string | undefined;
}

/** Parses a cluster of the service. */
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

/** True if no operation is in progress and the creation completed, so that all its resources must exist. */
export function isSettled({ provisioningState, failedProvisioningState }: AuditedCluster): boolean {
  if (provisioningState === "Succeeded") return true;
  return provisioningState === "Failed" && /^(Admin)?Updating$/.test(failedProvisioningState ?? "");
}
