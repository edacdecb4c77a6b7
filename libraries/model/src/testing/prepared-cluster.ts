import { Secret } from "@keelson/base";
import type { OpenShiftCluster } from "../cluster/open-shift-cluster.ts";
import { newCluster } from "./new-cluster.ts";

/** Returns a cluster with a service principal, after the first steps of its creation. */
export function preparedCluster(sshKey: Secret): OpenShiftCluster {
  const cluster = newCluster({ name: "demo", workers: 4 });
  const { clientId } = cluster.properties.servicePrincipalProfile ?? { clientId: "" };
  return {
    ...cluster,
    properties: {
      ...cluster.properties,
      infraId: "demo-x1x2x",
      storageSuffix: "abcdefghij",
      zones: ["1", "2", "3"],
      sshKey,
      servicePrincipalProfile: { clientId, clientSecret: new Secret("the client secret") },
      networkProfile: { ...cluster.properties.networkProfile, privateEndpointIp: "10.9.0.4" },
    },
  };
}
