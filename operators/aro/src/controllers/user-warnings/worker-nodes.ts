import { isDeepStrictEqual } from "node:util";
import { singleton } from "@keelson/aro-api";
import { listAt, stringAt } from "@keelson/base";
import { type Cache, type Predicate, watchFor } from "@keelson/controller";
import { type KubeObject, resources } from "@keelson/kube";

const workerLabel = "node-role.kubernetes.io/worker";
const selection = { labelSelector: workerLabel };

/** Reduced node. It contains the keys of taints that repel pods. */
interface WorkerNode extends KubeObject {
  readonly taints?: readonly string[];
}

function taintsOnly({ apiVersion, kind, metadata, spec }: KubeObject): WorkerNode {
  const { name, uid, resourceVersion } = metadata;
  const taints = listAt({ spec }, "spec", "taints").flatMap((each) => {
    const key = stringAt(each, "key");
    return key !== undefined && /^No(?:Schedule|Execute)$/.test(stringAt(each, "effect") ?? "") ? [key] : [];
  });
  return { apiVersion, kind, metadata: { name, uid, resourceVersion } as KubeObject["metadata"], taints };
}

const taintsChanged: Predicate = ({ type, object, before }) =>
  type !== "updated" || !isDeepStrictEqual((object as WorkerNode).taints, (before as WorkerNode).taints);

/** Reconciles the controller's single key when a worker is added or deleted, or its taints change. */
export const workerNodesChanged = watchFor(resources.nodes, singleton, {
  selection,
  strip: taintsOnly,
  where: taintsChanged,
});

/** Returns the taint keys of each worker. */
export function workerTaints(cache: Cache): readonly (readonly string[])[] {
  return cache
    .informer(resources.nodes, { selection, strip: taintsOnly })
    .list()
    .map((node) => (node as WorkerNode).taints ?? []);
}
