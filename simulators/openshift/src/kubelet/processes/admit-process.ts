import type { KubeObject } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";
import { recordEvent } from "../../workload-context/record-event.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";
import { listedOwner, type ProcessOwner, topmostOwner } from "./process-owner.ts";

/**
 * Returns the allow list entry for a pod. Without an entry, the pod's containers are simulated, and an Event and a log line
 * report the reason.
 */
export async function admitOwner<Entry extends Omit<ProcessOwner, "programs">>(
  owners: readonly Entry[],
  pod: KubeObject,
  container: { readonly name: string; readonly image: string },
  context: WorkloadContext,
): Promise<Entry | undefined> {
  const owner = await topmostOwner(pod, context);
  const listed = owner && listedOwner(owner, owners);
  if (listed) return listed;
  const { namespace, name } = pod.metadata;
  const subject = owner
    ? `${owner.kind} ${owner.namespace}/${owner.name} is not on the allow list`
    : `the owner of pod ${namespace}/${name} does not exist or has an unknown kind`;
  const message = `Container ${container.name} is simulated and does not run as a process of the host: ${subject} of image "${container.image}".`;
  context.logger.warn({ namespace, pod: name, container: container.name, owner }, message);
  await recordEvent(context, pod, {
    type: "Warning",
    reason: "ProcessNotAllowed",
    message,
    source: "kubelet",
    host: stringAt(pod, "spec", "nodeName") ?? "",
  });
  return undefined;
}
