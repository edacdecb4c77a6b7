import { randomUUID } from "node:crypto";
import { Secret } from "@keelson/base";
import { createKubeconfig } from "@keelson/kube";
import { type ClusterDocument, clusterKeys, withProperties } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";

/** Address and credentials of the cluster stubs. */
export interface StandIn {
  readonly url: string;
  readonly caPem: string;
  readonly clientCertificatePem: string;
  readonly clientKeyPem: string;
}

export function kubeconfigOf(
  { url, caPem, clientCertificatePem, clientKeyPem }: StandIn,
  cluster: number,
): string {
  return createKubeconfig({
    server: `${url}/clusters/${cluster}`,
    caPem,
    clientCertificatePem,
    clientKeyPem,
    clusterName: "stand-in",
    userName: "service",
  });
}

/** Returns the document of the cluster with this number. The document has the state after the cluster's creation. */
export function standInDocument(
  standIn: StandIn,
  cluster: number,
  subscriptionId: string,
  bucket: number,
): ClusterDocument {
  const made = newCluster({ name: `cluster-${cluster}`, subscriptionId, state: "Succeeded" });
  // The cluster has a customer's domain, so the monitor does not check certificates that the service issued.
  const clusterProfile = { ...made.properties.clusterProfile, domain: "customer.example" };
  const aroServiceKubeconfig = new Secret(kubeconfigOf(standIn, cluster));
  const openShiftCluster = withProperties(made, { clusterProfile, aroServiceKubeconfig });
  return {
    ...clusterKeys(openShiftCluster),
    id: randomUUID(),
    partitionKey: subscriptionId,
    bucket,
    openShiftCluster,
  };
}
