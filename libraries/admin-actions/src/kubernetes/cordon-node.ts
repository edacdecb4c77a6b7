import { valueAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import type { ActionContext } from "../context/action-context.ts";
import { checkVmName } from "../context/object-rules.ts";

/**
 * Marks a node as unschedulable or schedulable.
 * @throws CloudError InvalidParameter; KubeError of the cluster
 */
export async function cordonNode(
  { kube, signal }: ActionContext,
  vmName: string,
  unschedulable: boolean,
): Promise<void> {
  checkVmName(vmName);
  const node = await kube().get(resources.nodes, { name: vmName }, signal);
  if ((valueAt(node, "spec", "unschedulable") === true) === unschedulable) return;
  const patch = { spec: { unschedulable: unschedulable || null } };
  await kube().mergePatch(resources.nodes, { name: vmName }, patch, signal);
}
