import { CloudError } from "@keelson/arm";
import { statusOf } from "@keelson/azure";
import { Secret } from "@keelson/base";
import { createKeyring, generateKey, openSecret, type SecretPlace, sealSecret } from "@keelson/database";
import type { InstallState } from "@keelson/installers";
import { type OpenShiftCluster, withProperties } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { clusterContainer } from "../storage/cluster-storage.ts";
import { graphContainer } from "../storage/storage-account-template.ts";
import { installContext, installerOf } from "./install-context.ts";

/**
 * Uses the installer to generate the cluster's keys and passwords, unless they already exist. Stores them before their first use.
 */
export async function generateInstallState(context: ClusterContext): Promise<void> {
  if (context.cluster.properties.installState) return;
  const installState = new Secret(
    JSON.stringify(await installerOf(context).generate(installContext(context))),
  );
  await context.update((cluster) =>
    cluster.properties.installState ? cluster : withProperties(cluster, { installState }),
  );
}

/**
 * Reads the install state from the document. The document contains the state during the installation. After the installation, the
 * state is usually in the storage account instead. It stays in the document only if the document has no `installGraphKey`.
 */
export function installStateOf({ properties }: OpenShiftCluster): InstallState {
  if (!properties.installState)
    throw new Error("the installer has not generated anything for the cluster yet");
  return JSON.parse(properties.installState.reveal());
}

const graphBlob = "graph";

/**
 * Stores the install state in the cluster's storage account, encrypted with a key in the document. When the service's keys are
 * rotated, only the key in the document is re-encrypted. The state is stored as the blob `graph`. If the installer itself has
 * already stored this blob, the function does nothing and the state stays in the document.
 */
export async function persistGraph(context: ClusterContext): Promise<void> {
  const { signal, update } = context;
  const container = await clusterContainer(context, graphContainer);
  if (!container) throw new Error("the cluster has no storage account yet");
  if (isInstallersOwn(await container.find(graphBlob, signal))) return;
  const fresh = new Secret(Buffer.from(generateKey()).toString("base64"));
  const { properties } = await update((cluster) =>
    cluster.properties.installGraphKey ? cluster : withProperties(cluster, { installGraphKey: fresh }),
  );
  const { installGraphKey: key, installState: state } = properties;
  if (!key || !state) throw new Error("the installer has not generated anything for the cluster yet");
  const sealed = sealSecret(state.reveal(), placeOf(context), keyringOf(key));
  await container.put(graphBlob, Buffer.from(JSON.stringify(sealed)), "application/json", signal);
}

function isInstallersOwn(blob: Buffer | undefined): boolean {
  return blob !== undefined && !blob.toString("utf8").startsWith('{"sealed":"v1"');
}

/**
 * Returns the install state from the document or the storage account.
 * @throws CloudError ThrottlingLimitExceeded if the storage account throttles requests
 */
export async function loadInstallState(context: ClusterContext): Promise<InstallState> {
  const { installState, installGraphKey: key } = context.cluster.properties;
  if (installState || !key) return installStateOf(context.cluster);
  const blob = await readGraph(context);
  if (!blob) throw new Error("the graph is not in the cluster's storage account any more");
  return JSON.parse(openSecret(JSON.parse(blob.toString("utf8")), placeOf(context), keyringOf(key)));
}

async function readGraph(context: ClusterContext): Promise<Buffer | undefined> {
  try {
    const container = await clusterContainer(context, graphContainer);
    return await container?.find(graphBlob, context.signal);
  } catch (cause) {
    if (statusOf(cause) !== 429) throw cause;
    throw new CloudError(
      "ThrottlingLimitExceeded",
      "Requests to the storage account of the cluster are throttled. Please retry later.",
      { cause },
    );
  }
}

/**
 * Removes the install state from the document if the document contains the key that encrypts the blob `graph`. Call this function
 * only after this blob was stored.
 */
export function withoutInstallState(cluster: OpenShiftCluster): OpenShiftCluster {
  const { installState, ...properties } = cluster.properties;
  return installState && properties.installGraphKey ? { ...cluster, properties } : cluster;
}

function placeOf({ documentId, subscription }: ClusterContext): SecretPlace {
  return {
    collection: "openshift_clusters",
    partitionKey: subscription.id.toLowerCase(),
    id: documentId,
    path: graphBlob,
  };
}

const keyId = "graph";

function keyringOf(key: Secret) {
  return createKeyring({ current: keyId, keys: { [keyId]: Buffer.from(key.reveal(), "base64") } });
}
