import { conditionIsTrue, conditionOf, numberOrZeroAt, scalarStringAt } from "@keelson/apimachinery";
import { listAt, valueAt } from "@keelson/base";
import { ageOf } from "../../columns/age.ts";
import { ageColumn, type Column, nameColumn, text, textOf, wide } from "../../columns/column.ts";

/** Columns READY, STATUS and RESTARTS of a pod, as in kubectl. */
interface PodSummary {
  readonly ready: string;
  readonly status: string;
  readonly restarts: string;
}

interface Progress {
  ready: number;
  restarts: number;
  lastRestart: string;
  status: string;
}

export const podColumns: readonly Column[] = [
  nameColumn,
  text("Ready", (pod, now) => summarize(pod, now).ready),
  text("Status", (pod, now) => summarize(pod, now).status),
  text("Restarts", (pod, now) => summarize(pod, now).restarts),
  ageColumn,
  wide(
    text(
      "IP",
      (pod) =>
        scalarStringAt(listAt(pod, "status", "podIPs")[0], "ip") ||
        scalarStringAt(pod, "status", "podIP") ||
        "<none>",
    ),
  ),
  wide(textOf("Node", "spec.nodeName", "<none>")),
  wide(textOf("Nominated Node", "status.nominatedNodeName", "<none>")),
  wide(text("Readiness Gates", readinessGates)),
];

/**
 * Returns the pod's columns. The status is the first value that exists in this order: deletion, a container's waiting or
 * termination reason, the pod's reason, its phase. Source: kubernetes pkg/printers/internalversion/printers.go (printPod).
 */
function summarize(pod: unknown, now: Date): PodSummary {
  const sidecars = new Set(
    listAt(pod, "spec", "initContainers")
      .filter((container) => scalarStringAt(container, "restartPolicy") === "Always")
      .map((container) => scalarStringAt(container, "name")),
  );
  const phase = scalarStringAt(pod, "status", "phase");
  const gated = scalarStringAt(conditionOf(pod, "PodScheduled"), "reason") === "SchedulingGated";
  const start = gated ? "SchedulingGated" : scalarStringAt(pod, "status", "reason") || phase;
  const init = initProgress(pod, sidecars, start);
  const finished = init.initializing && !conditionIsTrue(pod, "Initialized") ? init : runProgress(pod, init);
  const total = listAt(pod, "spec", "containers").length + sidecars.size;
  return {
    ready: `${finished.ready}/${total}`,
    status: deletionStatus(pod, phase) ?? finished.status,
    restarts:
      finished.restarts > 0 && finished.lastRestart
        ? `${finished.restarts} (${ageOf(finished.lastRestart, now)} ago)`
        : String(finished.restarts),
  };
}

function deletionStatus(pod: unknown, phase: string): string | undefined {
  if (valueAt(pod, "metadata", "deletionTimestamp") === undefined) return undefined;
  if (scalarStringAt(pod, "status", "reason") === "NodeLost") return "Unknown";
  return phase === "Succeeded" || phase === "Failed" ? undefined : "Terminating";
}

function initProgress(pod: unknown, sidecars: ReadonlySet<string>, status: string) {
  const total = listAt(pod, "spec", "initContainers").length;
  const sidecarRestarts = { restarts: 0, lastRestart: "" };
  const progress: Progress & { initializing: boolean; sidecars: typeof sidecarRestarts } = {
    ready: 0,
    restarts: 0,
    lastRestart: "",
    status,
    initializing: false,
    sidecars: sidecarRestarts,
  };
  for (const [index, container] of listAt(pod, "status", "initContainerStatuses").entries()) {
    const isSidecar = sidecars.has(scalarStringAt(container, "name"));
    addRestarts(progress, container);
    if (isSidecar) addRestarts(sidecarRestarts, container);
    const terminated = valueAt(container, "state", "terminated");
    const waiting = scalarStringAt(container, "state", "waiting", "reason");
    if (terminated !== undefined && numberOrZeroAt(terminated, "exitCode") === 0) continue;
    if (isSidecar && valueAt(container, "started") === true) {
      if (valueAt(container, "ready") === true) progress.ready++;
      continue;
    }
    progress.initializing = true;
    if (terminated !== undefined) progress.status = `Init:${terminationReason(terminated)}`;
    else if (waiting && waiting !== "PodInitializing") progress.status = `Init:${waiting}`;
    else progress.status = `Init:${index}/${total}`;
    break;
  }
  return progress;
}

function runProgress(pod: unknown, init: ReturnType<typeof initProgress>): Progress {
  const progress: Progress = { ready: init.ready, ...init.sidecars, status: init.status };
  let running = false;
  for (const container of listAt(pod, "status", "containerStatuses").toReversed()) {
    addRestarts(progress, container);
    const waiting = scalarStringAt(container, "state", "waiting", "reason");
    const terminated = valueAt(container, "state", "terminated");
    if (waiting) progress.status = waiting;
    else if (terminated !== undefined) progress.status = terminationReason(terminated);
    else if (valueAt(container, "ready") === true && valueAt(container, "state", "running") !== undefined) {
      running = true;
      progress.ready++;
    }
  }
  // If one container has completed and a different container is running, the pod is still running.
  if (progress.status === "Completed" && running) {
    progress.status = conditionIsTrue(pod, "Ready") ? "Running" : "NotReady";
  }
  return progress;
}

function addRestarts(sum: { restarts: number; lastRestart: string }, container: unknown): void {
  sum.restarts += numberOrZeroAt(container, "restartCount");
  const finishedAt = scalarStringAt(container, "lastState", "terminated", "finishedAt");
  if (finishedAt > sum.lastRestart) sum.lastRestart = finishedAt;
}

function terminationReason(terminated: unknown): string {
  const signal = numberOrZeroAt(terminated, "signal");
  const fallback = signal === 0 ? `ExitCode:${numberOrZeroAt(terminated, "exitCode")}` : `Signal:${signal}`;
  return scalarStringAt(terminated, "reason") || fallback;
}

function readinessGates(pod: unknown): string {
  const gates = listAt(pod, "spec", "readinessGates").map((gate) => scalarStringAt(gate, "conditionType"));
  if (gates.length === 0) return "<none>";
  return `${gates.filter((type) => conditionIsTrue(pod, type)).length}/${gates.length}`;
}
