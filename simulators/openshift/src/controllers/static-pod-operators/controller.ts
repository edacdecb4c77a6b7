import type { KubeObject, ResourceRef } from "@keelson/apiserver";
import { numberAt, objectAt } from "@keelson/base";
import { type Controller, done, type Result, watchMapped } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { isMaster, nodeChanged } from "../../base/node-changes.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { isOwnedByOthers } from "../cluster-operators/ownership.ts";
import { type NodeRevision, withNodes, withRevisions } from "./node-revisions.ts";

/** Configuration resources of the four static pod operators by ClusterOperator name. */
const operators: ReadonlyMap<string, ResourceRef> = new Map([
  ["etcd", resources.etcds],
  ["kube-apiserver", resources.kubeApiServers],
  ["kube-controller-manager", resources.kubeControllerManagers],
  ["kube-scheduler", resources.kubeSchedulers],
]);

/**
 * Writes each master's static pod revision to the status of an operator's configuration, unless a real operator owns that status.
 * A real operator that starts later continues from this revision.
 */
export const staticPodOperators: Controller<Cluster> = {
  name: "static-pod-operators",
  watches: [
    watchMapped(resources.nodes, () => [...operators.keys()].map((name) => ({ name })), {
      where: (change) => isMaster(change.object) && nodeChanged(change),
    }),
  ],
  reconcile: reconcileOperator,
};

async function reconcileOperator({ name }: ObjectKey, cluster: Cluster): Promise<Result> {
  const ref = operators.get(name);
  const { client } = cluster;
  if (!ref || (await isOwnedByOthers(cluster, name))) return done;
  const masters = (await client.list(resources.nodes)).items
    .filter(isMaster)
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata.name)
    .toSorted();
  // Adds the node entries first, then their revisions. The CRDs reject a new entry that already contains a revision.
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
  const { nodeStatuses } = objectAt(operator, "status");
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
    status: { ...objectAt(operator, "status"), latestAvailableRevision, nodeStatuses },
  });
}
