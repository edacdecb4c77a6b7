import type { JsonValue } from "@keelson/base";
import { nonEmptyStringAt } from "../base/json.ts";

/** Cluster properties used by an audit. Source: the service's list of all clusters in API version `admin`. */
export interface AuditedCluster {
  readonly id: string;
  readonly provisioningState: string;
  /** Provisioning state in which the cluster failed. */
  readonly failedProvisioningState: string | undefined;
  readonly resourceGroupId: string | undefined;
  readonly domain: string | undefined;
  readonly oidcIssuer: string | undefined;
  /** Client ID of the cluster's service principal. */
  readonly clientId: string | undefined;
  /** Key of the cluster document, if known. The names of some Azure resources contain this key. */
  readonly key: string | undefined;
}

/** Parses a cluster from the service's response. */
export function auditedCluster(cluster: JsonValue, key?: string): AuditedCluster {
  const property = (...path: readonly string[]) => nonEmptyStringAt(cluster, "properties", ...path);
  return {
    id: nonEmptyStringAt(cluster, "id") ?? "",
    provisioningState: property("provisioningState") ?? "",
    failedProvisioningState: property("failedProvisioningState"),
    resourceGroupId: property("clusterProfile", "resourceGroupId"),
    domain: property("clusterProfile", "domain"),
    oidcIssuer: property("clusterProfile", "oidcIssuer"),
    clientId: property("servicePrincipalProfile", "clientId"),
    key,
  };
}

/** True if all resources must exist: the creation has completed and no operation is in progress. */
export function isSettled({ provisioningState, failedProvisioningState }: AuditedCluster): boolean {
  if (provisioningState === "Succeeded") return true;
  return provisioningState === "Failed" && /^(Admin)?Updating$/.test(failedProvisioningState ?? "");
}
