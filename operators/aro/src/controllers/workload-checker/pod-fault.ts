import { listAt, stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { conditionAt, type Fault, fault } from "./fault.ts";

/** Returns the fault of a pod that should be running but is not ready. Terminated pods, such as pods of jobs, have no fault. */
export function podFault(pod: KubeObject): Fault | undefined {
  const phase = stringAt(pod, "status", "phase");
  if (phase === "Succeeded" || phase === "Failed" || pod.metadata.deletionTimestamp !== undefined)
    return undefined;
  const ready = conditionAt(pod, "Ready");
  if (ready.status === "True") return undefined;
  const { creationTimestamp } = pod.metadata;
  const waiting = waitingContainer(pod);
  // A reason that ends in BackOff means repeated failures. The fault starts at the pod's creation, because the pod was ready only
  // briefly or never.
  if (waiting?.endsWith("BackOff")) return fault(waiting, creationTimestamp);
  const scheduled = conditionAt(pod, "PodScheduled");
  if (scheduled.status === "False")
    return fault(scheduled.reason ?? "not scheduled", scheduled.since, creationTimestamp);
  return fault(
    waiting ?? (phase === "Running" ? "not ready" : (phase ?? "Pending")),
    ready.since,
    creationTimestamp,
  );
}

function waitingContainer(pod: KubeObject): string | undefined {
  const containers = [
    ...listAt(pod, "status", "initContainerStatuses"),
    ...listAt(pod, "status", "containerStatuses"),
  ];
  const reasons = containers.flatMap((each) => {
    const reason = stringAt(each, "state", "waiting", "reason");
    return reason === undefined ? [] : [`container ${stringAt(each, "name") ?? ""}: ${reason}`];
  });
  return reasons.find((each) => each.endsWith("BackOff")) ?? reasons[0];
}
