import { listAt, stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { fallbackAnnotations } from "../node/last-known-good.ts";
import { readySince, timeAt } from "../static-pod/static-pod.ts";

/** State of a node's static pod as reported by the kubelet. */
export interface OperandState {
  readonly state: "ready" | "pending" | "failed" | "fallback";
  /** Revision in the pod's label. In the state `fallback`, the revision that failed to start. */
  readonly revision: string;
  readonly reason: string;
  readonly errors: readonly string[];
  /** Start time of the state. It does not change while the state lasts, so a failure is counted only once. */
  readonly at: Date;
}

export function operandState(pod: KubeObject): OperandState {
  const { annotations: noted = {}, creationTimestamp } = pod.metadata;
  const revision = pod.metadata.labels?.revision ?? "";
  const created = new Date(creationTimestamp ?? 0);
  const fallbackFor = noted[fallbackAnnotations.revision];
  if (fallbackFor !== undefined) {
    const message = noted[fallbackAnnotations.message] ?? "unknown";
    const reason = noted[fallbackAnnotations.reason] ?? "Unknown";
    return {
      state: "fallback",
      revision: fallbackFor,
      reason: `static pod for ${fallbackFor} did not launch and last-known-good revision ${revision} has been started`,
      errors: [`fallback to last-known-good revision ${revision} took place after: ${message} (${reason})`],
      at: created,
    };
  }
  const phase = stringAt(pod, "status", "phase") ?? "";
  if (phase === "Running" || phase === "Succeeded") {
    const since = readySince(pod);
    if (since) return { state: "ready", revision, reason: "static pod is ready", errors: [], at: since };
    return { state: "pending", revision, reason: "static pod is not ready", errors: [], at: created };
  }
  if (phase === "Failed") {
    const message = stringAt(pod, "status", "message") ?? "";
    const errors = message === "" ? [] : [message];
    return {
      state: "failed",
      revision,
      reason: "static pod has failed",
      errors,
      at: lastFinished(pod, created),
    };
  }
  return {
    state: "pending",
    revision,
    reason: `static pod has unknown phase: ${phase}`,
    errors: [],
    at: created,
  };
}

/** Returns the time when the last container finished. If no container has finished, returns the creation time of the pod. */
function lastFinished(pod: KubeObject, created: Date): Date {
  const ends = ["initContainerStatuses", "containerStatuses"]
    .flatMap((member) => listAt(pod, "status", member))
    .flatMap((status) =>
      ["state", "lastState"].map((state) => timeAt(status, state, "terminated", "finishedAt")),
    )
    .filter((time) => time !== undefined);
  return new Date(Math.max(created.getTime(), ...ends.map((end) => end.getTime())));
}
