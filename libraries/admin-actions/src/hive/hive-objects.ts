import { CloudError } from "@keelson/arm";
import { type KubeClient, type KubeObject, type KubeResource, resources } from "@keelson/kube";
import { checkName, isSecret } from "../context/object-rules.ts";
import { listObject, type ObjectQuery, resourceOf } from "../kubernetes/kubernetes-objects.ts";
import { redactSecrets } from "./redact-secrets.ts";

/** Kubernetes API of Hive. Hive installs and manages clusters. */
export interface HiveContext {
  readonly kube: KubeClient;
  readonly signal: AbortSignal;
}

export interface SyncSetQuery {
  /**
   * True for SyncSets, false for SelectorSyncSets. A SyncSet applies to clusters of one namespace, and a SelectorSyncSet to
   * clusters with a label.
   */
  readonly isSyncSet: boolean;
  /** Namespace of SyncSets. Empty for SelectorSyncSets. */
  readonly namespace: string;
}

const hive = { group: "hive.openshift.io", version: "v1" };
const clusterSyncs: KubeResource = {
  group: "hiveinternal.openshift.io",
  version: "v1alpha1",
  plural: "clustersyncs",
  kind: "ClusterSync",
  namespaced: true,
};
const syncSets: KubeResource = { ...hive, plural: "syncsets", kind: "SyncSet", namespaced: true };
const selectorSyncSets: KubeResource = {
  ...hive,
  plural: "selectorsyncsets",
  kind: "SelectorSyncSet",
  namespaced: false,
};

/** Name of all ClusterDeployments of the service. Each of them is in a separate namespace. */
const name = "cluster";

/**
 * Returns the ClusterDeployment of a cluster.
 * @throws CloudError NotFound; KubeError of Hive
 */
export async function hiveClusterDeployment(
  { kube, signal }: HiveContext,
  namespace: string,
): Promise<KubeObject> {
  return found(
    await kube.find(resources.clusterDeployments, { namespace, name }, signal),
    "cluster deployment not found",
  );
}

/**
 * Returns the ClusterSync of a cluster.
 * @throws CloudError NotFound; KubeError of Hive
 */
export async function hiveClusterSync({ kube, signal }: HiveContext, namespace: string): Promise<KubeObject> {
  return found(await kube.find(clusterSyncs, { namespace, name }, signal), "cluster sync not found");
}

/**
 * Lists at most 1,000 sync sets. Values of Secrets are removed.
 * @throws CloudError InvalidRequestContent, InternalServerError; KubeError of Hive
 */
export async function listSyncSets(
  { kube, signal }: HiveContext,
  query: SyncSetQuery & { readonly label: string },
): Promise<object> {
  checkNamespace(query, "listing syncsets", "listing selectorsyncsets");
  const selection = {
    ...(query.namespace === "" ? {} : { namespace: query.namespace }),
    ...(query.label === "" ? {} : { labelSelector: query.label }),
  };
  return redactSecrets(
    await listObject(kube, query.isSyncSet ? syncSets : selectorSyncSets, selection, signal),
  );
}

/**
 * Returns one sync set. Values of Secrets are removed.
 * @throws CloudError InvalidParameter, InvalidRequestContent; KubeError of Hive
 */
export async function getSyncSet(
  { kube, signal }: HiveContext,
  query: SyncSetQuery & { readonly name: string },
): Promise<object> {
  checkNamespace(query, "getting a syncset", "getting a selectorsyncset");
  checkName("name", query.name);
  const key = { name: query.name, ...(query.namespace === "" ? {} : { namespace: query.namespace }) };
  return redactSecrets(await kube.get(query.isSyncSet ? syncSets : selectorSyncSets, key, signal));
}

/**
 * Returns one object of the cluster in which Hive runs, or a list of at most 1,000 objects. Secrets are forbidden, because they
 * allow access to every cluster. Secret values inside other objects are redacted.
 * @throws CloudError Forbidden, InvalidParameter, InternalServerError; KubeError of Hive
 */
export async function readHiveObjects(
  { kube, signal }: HiveContext,
  { kind, namespace, name: wanted }: ObjectQuery,
): Promise<object> {
  const resource = await resourceOf(kube, kind, signal);
  if (isSecret(resource)) throw new CloudError("Forbidden", "Access to secrets is forbidden.");
  const place = namespace === "" ? {} : { namespace };
  for (const [what, text] of Object.entries({ ...place, ...(wanted === "" ? {} : { name: wanted }) }))
    checkName(what, text);
  return redactSecrets(
    wanted === ""
      ? await listObject(kube, resource, place, signal)
      : await kube.get(resource, { ...place, name: wanted }, signal),
  );
}

function found(object: KubeObject | undefined, message: string): KubeObject {
  if (!object) throw new CloudError("NotFound", message);
  return object;
}

function checkNamespace({ isSyncSet, namespace }: SyncSetQuery, ofSyncSet: string, ofSelector: string): void {
  if (isSyncSet === (namespace !== "")) return;
  const message = isSyncSet
    ? `namespace cannot be null for ${ofSyncSet}`
    : `namespace should be null for ${ofSelector}`;
  throw new CloudError("InvalidRequestContent", message, { target: "cdnamespace" });
}
