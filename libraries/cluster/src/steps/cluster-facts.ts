import type { ServicePrincipal } from "@keelson/azure";
import { clusterDomain } from "@keelson/model";
import type { ClusterContext } from "../context.ts";

export function domainOf({ cluster, environment }: ClusterContext) {
  return clusterDomain(cluster.properties.clusterProfile.domain, environment.domain);
}

/** The identity that the cluster itself acts as in Azure. */
export function servicePrincipalOf({ cluster, environment, subscription }: ClusterContext): ServicePrincipal {
  const profile = cluster.properties.servicePrincipalProfile;
  if (!profile) throw new Error("the cluster has no service principal");
  return {
    tenantId: environment.tenantIdOf(subscription),
    clientId: profile.clientId,
    clientSecret: profile.clientSecret,
  };
}
