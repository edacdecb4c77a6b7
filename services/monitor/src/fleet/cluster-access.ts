import type { AzureClients } from "@keelson/azure";
import type { Logger } from "@keelson/base";
import type { ClusterEnvironment } from "@keelson/cluster";
import { clusterLimits, connectKube, type KubeClient } from "@keelson/kube";
import type { ClusterDocument } from "@keelson/model";

/**
 * Connects to clusters and to Azure. `beforeRequest` is called before each request. If it throws an error, the request is not
 * sent.
 */
export interface ClusterAccess {
  /**
   * Returns a client of the cluster's API server. The caller must dispose of it.
   * @throws Error for a document with a missing or invalid kubeconfig
   */
  kube(document: ClusterDocument, beforeRequest: () => void): KubeClient;
  /** Returns Azure clients in the cluster's subscription, with the service's credentials. */
  azure(document: ClusterDocument, logger: Logger, beforeRequest: () => void): AzureClients;
}

/**
 * Limits for the total of all responses in one collection. For a cluster with 50,000 pods, 1,000 nodes and 8,000 machines, the
 * responses have 700 MB and 60 million JSON tokens. Parsing them needs 12 s of CPU time.
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
