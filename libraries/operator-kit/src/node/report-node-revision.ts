import { listAt, numberAt, stringAt } from "@keelson/base";
import type { KubeApi, KubeObject, KubeResource } from "@keelson/kube";

/** Records in the operator's configuration that a node reached its target revision. Writes nothing if the target has changed. */
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
