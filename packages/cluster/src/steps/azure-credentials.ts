import type { KubeObject } from "@keelson/kube";
import { resources } from "@keelson/kube";
import type { ClusterContext } from "../context.ts";
import { infraIdOf, managedGroupOf, regionOf, servicePrincipalOf } from "./cluster-facts.ts";

/** The Secret from which the cluster's own operators take their rights in Azure. */
export function azureCredentials(context: ClusterContext): KubeObject {
  const { cluster, subscription } = context;
  const { tenantId, clientId, clientSecret } = servicePrincipalOf(context);
  const texts = {
    azure_client_id: clientId,
    azure_client_secret: clientSecret.reveal(),
    azure_tenant_id: tenantId,
    azure_subscription_id: subscription.id,
    azure_resourcegroup: managedGroupOf(cluster),
    azure_region: regionOf(cluster),
    azure_resource_prefix: infraIdOf(cluster),
  };
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "azure-credentials", namespace: "kube-system" },
    type: "Opaque",
    data: Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, Buffer.from(text).toString("base64")]),
    ),
  };
}

/** Hands a new client secret on to the cluster. */
export async function updateOpenShiftSecret(context: ClusterContext): Promise<void> {
  await context.kube().ensure(resources.secrets, azureCredentials(context), context.signal);
}
