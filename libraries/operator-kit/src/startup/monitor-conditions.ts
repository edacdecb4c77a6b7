import { listAt, numberAt, stringAt, valueAt } from "@keelson/base";
import type { Condition } from "@keelson/controller";
import type { KubeObject } from "@keelson/kube";
import { fallbackAnnotations } from "../node/last-known-good.ts";
import { timeAt } from "../static-pod/static-pod.ts";

export const monitorConditionTypes = [
  "StartupMonitorPodDegraded",
  "StartupMonitorPodContainerExcessiveRestartsDegraded",
  "StaticPodFallbackRevisionDegraded",
] as const;

const toleratedPendingMs = 120_000;
const maxRestarts = 2;

/**
 * Returns the conditions of the startup monitor's pod and of static pods that fell back. `monitor` is the monitor pod of the node
 * in transition, or undefined if no node is in transition.
 */
export function monitorConditions(
  monitor: KubeObject | undefined,
  staticPods: readonly KubeObject[],
  now: Date,
): readonly Condition[] {
  const [pod, restarts, fallback] = monitorConditionTypes;
  return [
    (monitor && (pending(monitor, now) ?? failed(monitor))) ?? { type: pod, status: "False" },
    (monitor && excessiveRestarts(monitor)) ?? { type: restarts, status: "False" },
    fallbackCondition(staticPods) ?? { type: fallback, status: "False" },
  ];
}

function pending(monitor: KubeObject, now: Date): Condition | undefined {
  const since = timeAt(monitor, "status", "startTime");
  const isLate =
    stringAt(monitor, "status", "phase") === "Pending" &&
    since !== undefined &&
    now.getTime() - since.getTime() >= toleratedPendingMs;
  if (!isLate) return undefined;
  const cause = stringAt(monitor, "status", "message") ?? "";
  const waiting = listAt(monitor, "status", "containerStatuses").find(
    (each) => valueAt(each, "state", "waiting") !== undefined,
  );
  const why = stringAt(waiting, "state", "waiting", "message") ?? "";
  const ofPod = `the pod ${monitor.metadata.name} has been in Pending phase for more than max tolerated time (2m0s) due to ${cause || "unknown"}`;
  const ofContainer = `at least one container ${stringAt(waiting, "name") ?? ""} is waiting since ${since.toISOString()} due to ${why}`;
  return {
    type: monitorConditionTypes[0],
    status: "True",
    reason:
      stringAt(waiting, "state", "waiting", "reason") || stringAt(monitor, "status", "reason") || "Unknown",
    message: why === "" ? ofPod : cause === "" ? ofContainer : `${ofPod}\n${ofContainer}`,
  };
}

function failed(monitor: KubeObject): Condition | undefined {
  if (stringAt(monitor, "status", "phase") !== "Failed") return undefined;
  const status = listAt(monitor, "status", "containerStatuses").find(
    (each) => (numberAt(each, "state", "terminated", "exitCode") ?? 0) !== 0,
  );
  const terminated = valueAt(status, "state", "terminated");
  const why = stringAt(terminated, "message") ?? "";
  const exit = `at least one container ${stringAt(status, "name") ?? ""} in ${monitor.metadata.name} pod exited with ${numberAt(terminated, "exitCode") ?? 0}`;
  return {
    type: monitorConditionTypes[0],
    status: "True",
    reason: stringAt(terminated, "reason") || "Unknown",
    message: why === "" ? "unknown" : `${exit} (expected nonzero exit code), due to ${why}`,
  };
}

function excessiveRestarts(monitor: KubeObject): Condition | undefined {
  const status = listAt(monitor, "status", "containerStatuses").find(
    (each) => (numberAt(each, "restartCount") ?? 0) >= maxRestarts,
  );
  if (status === undefined) return undefined;
  const times = numberAt(status, "restartCount") ?? 0;
  return {
    type: monitorConditionTypes[1],
    status: "True",
    reason: "ExcessiveRestarts",
    message: `at least one container ${stringAt(status, "name") ?? ""} in ${monitor.metadata.name} pod has restarted ${times} times, max allowed is ${maxRestarts}`,
  };
}

function fallbackCondition(staticPods: readonly KubeObject[]): Condition | undefined {
  const fallen = staticPods.filter(
    ({ metadata }) => metadata.annotations?.[fallbackAnnotations.revision] !== undefined,
  );
  const [first] = fallen;
  if (!first) return undefined;
  const noted = ({ metadata }: KubeObject, member: keyof typeof fallbackAnnotations) =>
    metadata.annotations?.[fallbackAnnotations[member]];
  return {
    type: monitorConditionTypes[2],
    status: "True",
    reason: noted(first, "reason") || "Unknown",
    message: fallen
      .map(
        (pod) =>
          // The message is the same as in library-go. It names the revision that failed to start.
          `a static pod ${pod.metadata.name} was rolled back to revision ${noted(pod, "revision")} due to ${noted(pod, "message") ?? "unknown"}`,
      )
      .join("\n"),
  };
}
