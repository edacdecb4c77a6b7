import { listAt, numberAt, stringAt } from "@keelson/base";
import type { KubeApi, KubeObject, KubeResource } from "@keelson/kube";

/**
 * Says in the operator's configuration that a node runs the revision that it was to reach. Nothing is written where it is
 * to reach another one by now.
 */
export async function reportNodeRevision(
  api: Pick<KubeApi, "get" | "jsonPatch">,
  resource: KubeResource,
  { node, revision }: { readonly node: string; readonly revision: number },
  signal: AbortSignal,
): Promise<void> {
  const operator: KubeObject = await api.get(resource, { name: "cluster" }, signal);
  const nodes = listAt(operator, "status", "nodeStatuses");
  const at = nodes.findIndex((each) => stringAt(each, "nodeName") === node);
  if (at < 0 || numberAt(nodes[at], "targetRevision") !== revision) return;
  const path = `/status/nodeStatuses/${at}`;
  await api.jsonPatch(
    resource,
    { name: "cluster" },
    [
      { op: "test", path: `${path}/nodeName`, value: node },
      { op: "test", path: `${path}/targetRevision`, value: revision },
      { op: "add", path: `${path}/currentRevision`, value: revision },
      { op: "replace", path: `${path}/targetRevision`, value: 0 },
    ],
    signal,
    "status",
  );
}
