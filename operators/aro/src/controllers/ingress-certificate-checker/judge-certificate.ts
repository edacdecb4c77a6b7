import { stringAt, valueAt } from "@keelson/base";

/** Domains below these are the service's: it makes their certificates. */
const managedDomains = [".aroapp.io", ".aroapp.azure.us"];

export interface ServedCertificate {
  /** Of the cluster. */
  readonly domain: string;
  /** `spec.clusterID` of the ClusterVersion. */
  readonly clusterId: string;
  readonly ingressController: unknown;
}

/** What is wrong with the default certificate; `undefined` when it is the service's, or the customer's own domain's. */
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
