import type { KubeObject, ResourceRef } from "@keelson/apiserver";
import { type Controller, done, type Result, watchMapped } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { numberAt, recordAt } from "../../base/fields.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { isOwnedByOthers } from "../cluster-operators/ownership.ts";
import { type NodeRevision, withNodes, withRevisions } from "./node-revisions.ts";

/** The four operators of static pods: the ClusterOperator of each and its configuration. */
const operators: ReadonlyMap<string, ResourceRef> = new Map([
  ["etcd", resources.etcds],
  ["kube-apiserver", resources.kubeApiServers],
  ["kube-controller-manager", resources.kubeControllerManagers],
  ["kube-scheduler", resources.kubeSchedulers],
]);

/**
 * Writes the static pod revision of each master to the status of operator configurations, for operators that
 * do not run. An operator that starts later continues from that revision, as on an existing cluster.
 */
export const staticPodOperators: Controller<Cluster> = {
  name: "static-pod-operators",
  watches: [
    watchMapped(resources.nodes, () => [...operators.keys()].map((name) => ({ name })), {
      where: ({ object }) => "node-role.kubernetes.io/master" in (object.metadata.labels ?? {}),
    }),
  ],
  reconcile: reconcileOperator,
};

async function reconcileOperator({ name }: ObjectKey, cluster: Cluster): Promise<Result> {
  const ref = operators.get(name);
  const { client } = cluster;
  if (!ref || (await isOwnedByOthers(cluster, name))) return done;
  const masters = (await client.list(resources.nodes)).items
    .filter(({ metadata }) => "node-role.kubernetes.io/master" in (metadata.labels ?? {}))
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata.name)
    .toSorted();
  // The CRDs require that a new entry has no revision.
  for (const step of [(known: readonly NodeRevision[]) => withNodes(known, masters), withRevisions]) {
    const operator = await client.find(ref, { name: "cluster" });
    if (!operator) return done;
    const known = nodeRevisions(operator);
    const wanted = step(known);
    if (wanted !== known) await write(cluster, ref, operator, wanted);
  }
  return done;
}

function nodeRevisions(operator: KubeObject): readonly NodeRevision[] {
  const { nodeStatuses } = recordAt(operator, "status");
  return Array.isArray(nodeStatuses) ? nodeStatuses : [];
}

async function write(
  { client }: Cluster,
  ref: ResourceRef,
  operator: KubeObject,
  nodeStatuses: readonly NodeRevision[],
): Promise<void> {
  const latestAvailableRevision = Math.max(
    numberAt(operator, "status", "latestAvailableRevision") ?? 0,
    ...nodeStatuses.map(({ currentRevision = 0 }) => currentRevision),
  );
  await client.updateStatus(ref, {
    ...operator,
    status: { ...recordAt(operator, "status"), latestAvailableRevision, nodeStatuses },
  });
}
