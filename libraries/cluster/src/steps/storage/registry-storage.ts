import { KubeError, type KubeObject, resources, textAt } from "@keelson/kube";
import { withProperties } from "@keelson/model";
import type { ClusterContext } from "../../context.ts";

/** Azure's rule for names of storage accounts. */
const accountName = /^[a-z0-9]{3,24}$/;

/** Asks clusters that were made before it was stored where their registry keeps its images. */
export async function populateRegistryStorageAccountName(context: ClusterContext): Promise<void> {
  const { cluster, update } = context;
  if (cluster.properties.imageRegistryStorageAccountName) return;
  const config = await findConfig(context);
  const name = textAt(config, "spec", "storage", "azure", "accountName");
  // The cluster's administrators can write there what they like, and the service uses it in Azure.
  const imageRegistryStorageAccountName = name && accountName.test(name) ? name : undefined;
  if (imageRegistryStorageAccountName === undefined) {
    context.logger.warn({}, "the cluster's registry keeps its images elsewhere than in Azure");
    return;
  }
  await update((current) => withProperties(current, { imageRegistryStorageAccountName }));
}

/** Maintenance of a cluster whose machines are stopped starts them only afterwards: it is asked the next time. */
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
