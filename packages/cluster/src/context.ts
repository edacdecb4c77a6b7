import type { AzureClients, ServicePrincipal } from "@keelson/azure";
import type { Clock } from "@keelson/base";
import type { KubeClient } from "@keelson/kube";
import type { OpenShiftCluster, SubscriptionDocument } from "@keelson/model";
import type { StepScope } from "./engine/execute.ts";
import type { ClusterEnvironment } from "./environment.ts";

/** Everything a step works with. */
export interface ClusterContext extends StepScope {
  /** ID of the cluster's document, a UUID. */
  readonly documentId: string;
  /** The cluster as last written: read it anew after every wait. */
  readonly cluster: OpenShiftCluster;
  /** Writes the cluster under the lease, without losing what parallel steps write. `change` is pure. */
  update(change: (cluster: OpenShiftCluster) => OpenShiftCluster): Promise<OpenShiftCluster>;
  readonly subscription: SubscriptionDocument;
  /** As the service, in the cluster's subscription. */
  readonly azure: AzureClients;
  /** As the service, in its own subscription. */
  readonly serviceAzure: AzureClients;
  /** As someone else, in the cluster's subscription. */
  azureAs(credential: ServicePrincipal): AzureClients;
  /** The cluster's API server, as the service. Kubeconfigs have been generated. */
  kube(): KubeClient;
  readonly environment: ClusterEnvironment;
  readonly clock: Clock;
}
