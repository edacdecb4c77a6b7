import { stringAt } from "@keelson/base";
import { KubeError, type KubeObject, resources } from "@keelson/kube";
import { withProperties } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";

/** Azure's naming rule for storage accounts. */
const accountName = /^[a-z0-9]{3,24}$/;

/** Stores the name of the image registry's storage account. If the document lacks the name, reads it from the cluster. */
export async function populateRegistryStorageAccountName(context: ClusterContext): Promise<void> {
  const { cluster, update } = context;
  if (cluster.properties.imageRegistryStorageAccountName) return;
  const config = await findConfig(context);
  const name = stringAt(config, "spec", "storage", "azure", "accountName");
  // Validates the name, because the cluster's administrators can write any string to this field.
  const imageRegistryStorageAccountName = name && accountName.test(name) ? name : undefined;
  if (imageRegistryStorageAccountName === undefined) {
    context.logger.warn({}, "the cluster's registry keeps its images elsewhere than in Azure");
    return;
  }
  await update((current) => withProperties(current, { imageRegistryStorageAccountName }));
}

/**
 * Returns the registry's configuration. Undefined if the cluster does not respond, for example because its machines are stopped.
 * The next maintenance then reads the configuration again.
 */
async function findConfig({ kube, signal, logger }: ClusterContext): Promise<KubeObject | undefined> {
  try {
    return await kube().find(resources.imageRegistryConfigs, { name: "cluster" }, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof KubeError)) throw error;
    logger.warn({ reason: error.message }, "the configuration of the cluster's registry was not read");
    return undefined;
  }
}
