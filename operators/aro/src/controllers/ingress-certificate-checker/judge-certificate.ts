import { stringAt, valueAt } from "@keelson/base";

/** Domains for which the service issues certificates. */
const managedDomains = [".aroapp.io", ".aroapp.azure.us"];

export interface ServedCertificate {
  /** DNS domain of the cluster. */
  readonly domain: string;
  /** `spec.clusterID` of the ClusterVersion. */
  readonly clusterId: string;
  readonly ingressController: unknown;
}

/**
 * Returns the problem of the default certificate, or `undefined` if there is none. In a managed domain, the ingress must use the
 * certificate of the service. In all other domains, a certificate must be configured, but any certificate is accepted.
 */
export function judgeCertificate({
  domain,
  clusterId,
  ingressController,
}: ServedCertificate): string | undefined {
  const isManaged = managedDomains.some((suffix) => domain.endsWith(suffix));
  const kind = isManaged ? "managed" : "custom";
  if (valueAt(ingressController, "spec", "defaultCertificate") === undefined)
    return `missing ingress certificate for cluster with ${kind} domain`;
  const name = stringAt(ingressController, "spec", "defaultCertificate", "name");
  return isManaged && name !== `${clusterId}-ingress`
    ? "invalid ingress certificate name for cluster with managed domain"
    : undefined;
}
