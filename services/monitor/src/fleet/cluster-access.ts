import type { AzureClients } from "@keelson/azure";
import type { Logger } from "@keelson/base";
import type { ClusterEnvironment } from "@keelson/cluster";
import { connectKube, type KubeClient } from "@keelson/kube";
import type { ClusterDocument } from "@keelson/model";

/** How clusters and their Azure are reached. `beforeRequest` is called before each request; a throw stops it. */
export interface ClusterAccess {
  /** The caller disposes of it. @throws Error when the document has no kubeconfig, or one that is of no use */
  kube(document: ClusterDocument, beforeRequest: () => void): KubeClient;
  /** With the rights of the service in the cluster's subscription. */
  azure(document: ClusterDocument, logger: Logger, beforeRequest: () => void): AzureClients;
}

/** For each answer of a cluster: the monitor holds those of many at once. */
const maxBytes = 16 * 2 ** 20;

export function clusterAccess(environment: Pick<ClusterEnvironment, "connectAzure">): ClusterAccess {
  return {
    kube({ openShiftCluster: { name, properties } }, beforeRequest) {
      const kubeconfig = properties.aroServiceKubeconfig ?? properties.adminKubeconfig;
      if (!kubeconfig) throw new Error(`cluster ${name} has no kubeconfig`);
      const { privateEndpointIp } = properties.networkProfile;
      return connectKube({
        kubeconfig: kubeconfig.reveal(),
        beforeRequest,
        userAgent: "keelson-monitor",
        fieldManager: "keelson-monitor",
        maxBytes,
        dropsManagedFields: true,
        ...(privateEndpointIp === undefined ? {} : { internalAddress: privateEndpointIp }),
      });
    },
    azure: (document, logger, beforeRequest) =>
      environment.connectAzure(document.partitionKey, { beforeRequest, logger }),
  };
}
