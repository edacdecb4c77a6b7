import { CloudError } from "@keelson/arm";
import type { AzureClients } from "@keelson/azure";
import type { Violation } from "@keelson/model";
import type { ProposedCreation } from "./azure-checks.ts";
import { invalid } from "./invalid.ts";
import { wantedMachines } from "./machines.ts";

/**
 * Checks that the subscription has the feature for encryption at host, if the cluster uses it. Message: Azure/ARO-RP
 * pkg/frontend/features_validation.go.
 */
export async function checkEncryptionFeature(
  { cluster, subscription }: ProposedCreation,
  azure: Pick<AzureClients, "features">,
  abortSignal: AbortSignal,
): Promise<readonly Violation[]> {
  const first = wantedMachines(cluster).find((each) => each.encryptionAtHost);
  if (!first) return [];
  const feature = await azure.features.features.get("Microsoft.Compute", "EncryptionAtHost", { abortSignal });
  const state = feature.properties?.state;
  if (!state) {
    throw new CloudError(
      "InternalServerError",
      `Microsoft.Compute/EncryptionAtHost feature has no state for subscription ${subscription.id}.`,
    );
  }
  if (state === "Registered") return [];
  const message = `Microsoft.Compute/EncryptionAtHost feature is not registered on subscription ${subscription.id}. Please register the feature on your subscription before creating the cluster.`;
  return [invalid(`${first.path}.encryptionAtHost`, message)];
}
