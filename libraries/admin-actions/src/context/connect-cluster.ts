import { CloudError } from "@keelson/arm";
import type { AzureClients } from "@keelson/azure";
import type { Clock } from "@keelson/base";
import type { ClusterEnvironment } from "@keelson/cluster";
import { clusterLimits, connectKube, type KubeClient, type ReaderOptions } from "@keelson/kube";
import type { ClusterDocument } from "@keelson/model";
import type { ConnectCluster } from "./action-context.ts";

const userAgent = "keelson-admin";
const fieldManager = "keelson-admin";

/** Limits of the cluster client for administrator actions. Such an action may list up to 1,000 complete objects in one page. */
const administrators: Omit<ReaderOptions, "resourceId"> = {
  name: "admin",
  limits: { ...clusterLimits, bytes: 64 * 2 ** 20, tokens: 4_000_000 },
};

/** Returns a function that connects to clusters and their Azure resources, with the same access as cluster operations. */
export function clusterConnector(environment: ClusterEnvironment, clock: Clock): ConnectCluster {
  return (document, { correlationId, logger, signal, reader = administrators }) => {
    const beforeRequest = () => signal.throwIfAborted();
    let azure: AzureClients | undefined;
    let kube: KubeClient | undefined;
    let cleanup: KubeClient | undefined;
    const { privateEndpointIp } = document.openShiftCluster.properties.networkProfile;
    const connect = (guard: () => void) =>
      connectKube({
        kubeconfig: kubeconfigOf(document),
        beforeRequest: guard,
        userAgent,
        fieldManager,
        reader: { ...reader, resourceId: document.openShiftCluster.id },
        responses: environment.responses,
        internalAddress: environment.clusterAddress ?? privateEndpointIp,
      });
    return {
      document,
      get azure() {
        azure ??= environment.connectAzure(document.partitionKey, {
          beforeRequest,
          logger,
          correlationId,
        });
        return azure;
      },
      kube(use) {
        if (use === "cleanup") {
          cleanup ??= connect(() => {});
          return cleanup;
        }
        kube ??= connect(beforeRequest);
        return kube;
      },
      clock,
      logger,
      signal,
      async [Symbol.asyncDispose]() {
        await Promise.all([kube, cleanup].map((client) => client?.[Symbol.asyncDispose]()));
      },
    };
  };
}

function kubeconfigOf({ openShiftCluster: { name, properties } }: ClusterDocument): string {
  const { aroServiceKubeconfig, provisioningState } = properties;
  if (aroServiceKubeconfig) return aroServiceKubeconfig.reveal();
  throw new CloudError(
    "RequestNotAllowed",
    `Cluster '${name}' has no API server yet: it is in provisioningState '${provisioningState}'. Wait for its end.`,
    { status: 409 },
  );
}
