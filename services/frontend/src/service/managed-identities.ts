import { CloudError } from "@keelson/arm";
import { identityUrlFault, publicIdentityHostSuffix } from "@keelson/azure";
import { type ManagedServiceIdentity, type OpenShiftCluster, usesWorkloadIdentity } from "@keelson/model";
import type { RequestContext } from "../http/messages/request-context.ts";

/**
 * Default values for clusters' managed identities. Azure Resource Manager sends these values as request headers. For requests of
 * all other callers, the defaults are used.
 */
export interface ManagedIdentitySettings {
  /** Host of the managed identity data plane, or the parent domain of its hosts. Contains the port if it is not 443. */
  readonly hostSuffix: string;
  /** URL from which the service fetches the credentials of identities. */
  readonly identityUrl?: string;
  readonly homeTenantId?: string;
}

/**
 * Rejects a new cluster with managed identities if the service does not support them.
 * @throws CloudError InvalidParameter
 */
export function assertIdentitiesOffered(
  cluster: OpenShiftCluster,
  settings: ManagedIdentitySettings | undefined,
): void {
  if (settings || !usesWorkloadIdentity(cluster)) return;
  throw new CloudError(
    "InvalidParameter",
    "This service creates no clusters with managed identities. Use a service principal.",
    { target: "properties.platformWorkloadIdentityProfile" },
  );
}

/**
 * Stores the identity headers of a request in the cluster. If a header is missing, the stored value is kept.
 * @throws CloudError InvalidParameter for an invalid header, or if a required header is missing at creation
 */
export function withIdentityHeaders(
  cluster: OpenShiftCluster,
  request: Pick<RequestContext, "header">,
  settings: ManagedIdentitySettings = { hostSuffix: publicIdentityHostSuffix },
): OpenShiftCluster {
  if (!usesWorkloadIdentity(cluster)) return cluster;
  const identity = cluster.managedServiceIdentity ?? {};
  const identityURL = request.header(urlHeader) || identity.identityURL || settings.identityUrl;
  const tenantId = request.header(tenantHeader) || identity.tenantId || settings.homeTenantId;
  const principalId = request.header(principalHeader);
  if (!identityURL) throw missing(urlHeader);
  if (!tenantId) throw missing(tenantHeader);
  const fault = identityUrlFault(identityURL, settings.hostSuffix);
  if (fault) throw malformed(urlHeader, fault);
  if (!uuid.test(tenantId)) throw malformed(tenantHeader, "a UUID");
  if (principalId && !uuid.test(principalId)) throw malformed(principalHeader, "a UUID");
  const managedServiceIdentity: ManagedServiceIdentity = {
    ...identity,
    identityURL,
    tenantId,
    ...(principalId ? { principalId } : {}),
  };
  return { ...cluster, managedServiceIdentity };
}

const urlHeader = "x-ms-identity-url";
const tenantHeader = "x-ms-home-tenant-id";
const principalHeader = "x-ms-identity-principal-id";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function missing(header: string): CloudError {
  return new CloudError(
    "InvalidParameter",
    `The header '${header}' is missing: a cluster with managed identities is created through Azure Resource Manager, which sends it.`,
    { target: "identity" },
  );
}

function malformed(header: string, wanted: string): CloudError {
  return new CloudError("InvalidParameter", `The header '${header}' is invalid: must be ${wanted}.`, {
    target: "identity",
  });
}
