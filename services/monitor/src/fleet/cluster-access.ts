import type { AzureClients } from "@keelson/azure";
import type { Logger } from "@keelson/base";
import type { ClusterEnvironment } from "@keelson/cluster";
import { clusterLimits, connectKube, type KubeClient } from "@keelson/kube";
import type { ClusterDocument } from "@keelson/model";

/** How clusters and their Azure are reached. `beforeRequest` is called before each request; a throw stops it. */
export interface ClusterAccess {
  /** The caller disposes of it. @throws Error when the document has no kubeconfig, or one that is of no use */
  kube(document: ClusterDocument, beforeRequest: () => void): KubeClient;
  /** With the rights of the service in the cluster's subscription. */
  azure(document: ClusterDocument, logger: Logger, beforeRequest: () => void): AzureClients;
}

/**
 * Limits on all responses of one scrape together: 50,000 pods, 1,000 nodes and 8,000 machines have 700 MB and 60 million tokens, and
 * take 12 s of CPU time.
 */
const limits = {
  ...clusterLimits,
  objectTokens: 20_000,
  totalBytes: 2 ** 30,
  totalTokens: 100_000_000,
  cpu: 20_000,
};

export function clusterAccess(
  environment: Pick<ClusterEnvironment, "connectAzure" | "responses" | "clusterAddress">,
): ClusterAccess {
  return {
    kube({ openShiftCluster: { id, name, properties } }, beforeRequest) {
      const kubeconfig = properties.aroServiceKubeconfig ?? properties.adminKubeconfig;
      if (!kubeconfig) throw new Error(`cluster ${name} has no kubeconfig`);
      const { privateEndpointIp } = properties.networkProfile;
      return connectKube({
        kubeconfig: kubeconfig.reveal(),
        beforeRequest,
        userAgent: "keelson-monitor",
        fieldManager: "keelson-monitor",
        reader: { name: "monitor", resourceId: id, limits },
        responses: environment.responses,
        internalAddress: environment.clusterAddress ?? privateEndpointIp,
      });
    },
    azure: (document, logger, beforeRequest) =>
      environment.connectAzure(document.partitionKey, { beforeRequest, logger }),
  };
}
