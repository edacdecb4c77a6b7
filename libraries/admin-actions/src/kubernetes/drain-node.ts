import { CloudError } from "@keelson/arm";
import { listAt, stringAt, timeLimit } from "@keelson/base";
import { type KubeClient, type KubeObject, objectFields, resources } from "@keelson/kube";
import type { ActionContext } from "../context/action-context.ts";
import { checkVmName } from "../context/object-rules.ts";

/** Time limit of a drain, as in Azure/ARO-RP (pkg/frontend/adminactions/drain.go). */
const timeLimitMs = 3 * 60_000;
const pauseMs = 1_000;
const mirrorAnnotation = "kubernetes.io/config.mirror";

const fields = objectFields({
  metadata: { uid: true, annotations: { [mirrorAnnotation]: true }, ownerReferences: { kind: true } },
  status: { phase: true },
});

/**
 * Deletes the pods of a node and waits until they are gone. Disruption budgets are ignored. DaemonSet pods and static pods stay,
 * because their controllers would recreate them. Pods that the scheduler places on the node during the drain also stay.
 * @throws CloudError InvalidParameter, InternalServerError after 3 minutes; KubeError of the cluster
 */
export async function drainNode(
  context: ActionContext,
  vmName: string,
  timeOver = timeLimit(timeLimitMs),
): Promise<void> {
  checkVmName(vmName);
  const { clock, logger, signal } = context;
  const kube = context.kube();
  const limited = AbortSignal.any([signal, timeOver]);
  await kube.get(resources.nodes, { name: vmName }, signal);
  let left: readonly KubeObject[] = [];
  try {
    left = await drainable(kube, vmName, limited);
    const asked = new Set(left.map(uidOf));
    for (const { metadata } of left) {
      const { namespace = "", name } = metadata;
      await kube.delete(resources.pods, { namespace, name }, limited);
    }
    for (;;) {
      left = (await drainable(kube, vmName, limited)).filter((pod) => asked.has(uidOf(pod)));
      if (left.length === 0) return;
      await clock.sleep(pauseMs, limited);
    }
  } catch (error) {
    if (signal.aborted || !limited.aborted) throw error;
    const names = left.map(({ metadata: { namespace = "", name } }) => `${namespace}/${name}`);
    logger.warn({ node: vmName, pods: names }, "a node was not drained in time");
    throw new CloudError(
      "InternalServerError",
      `Node '${vmName}' was not drained in time; pods left: ${names.join(", ")}.`,
      { cause: error },
    );
  }
}

async function drainable(
  kube: KubeClient,
  node: string,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const selection = { fieldSelector: `spec.nodeName=${node}`, fields };
  const { items } = await kube.list(resources.pods, selection, signal);
  return items.filter((pod) => !comesBack(pod));
}

/** True if the kubelet or a DaemonSet controller would recreate the pod immediately. Terminated pods are not recreated. */
export function comesBack(pod: KubeObject): boolean {
  if (pod.metadata.annotations?.[mirrorAnnotation] !== undefined) return true;
  if (/^(Succeeded|Failed)$/.test(stringAt(pod, "status", "phase") ?? "")) return false;
  return listAt(pod, "metadata", "ownerReferences").some((owner) =>
    /^(DaemonSet|Node)$/.test(stringAt(owner, "kind") ?? ""),
  );
}

/** Returns the UID of a pod, which distinguishes the pod from a later pod with the same name. */
function uidOf({ metadata: { name, uid = name } }: KubeObject): string {
  return uid;
}
