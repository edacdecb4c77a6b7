import type { KubeObject } from "@keelson/apiserver";
import { listAt, numberAt, stringAt } from "@keelson/base";
import type { ProcessProbes } from "./process-probes.ts";
import { type ContainerRun, type Ending, endedRun } from "./runs/container-run.ts";

/** Current state of a container. */
export type ContainerState =
  | { readonly kind: "waiting"; readonly reason: string; readonly message?: string }
  | { readonly kind: "running"; readonly run: ContainerRun }
  | {
      readonly kind: "terminated";
      readonly run: ContainerRun;
      readonly ending: Ending;
      readonly finishedAt: Date;
    };

/** One container of a pod with its current and previous runs. */
export interface ContainerRecord {
  readonly name: string;
  /** Container in the spec of the newest version of the pod. */
  spec: unknown;
  readonly image: string;
  readonly role: "init" | "sidecar" | "main";
  state: ContainerState;
  /** Previous run. */
  last: Extract<ContainerState, { kind: "terminated" }> | undefined;
  restartCount: number;
  /** Earliest time of the next start in Unix milliseconds. */
  notBefore: number;
  /** Number of consecutive failures. */
  crashes: number;
  pullFailures: number;
  /** Start time of a run in an earlier simulation process. */
  ranSince: Date | undefined;
  probedReady: boolean;
  /** True while a program that reports its startup has not started. */
  isStarting: boolean;
  /** Probes of a container that runs as a real process. */
  probes: ProcessProbes | undefined;
  /** True if the container waits for a restart. Its next run increments `restartCount`. */
  restartPending: boolean;
}

export function newRecord(spec: unknown, role: ContainerRecord["role"]): ContainerRecord {
  return {
    name: stringAt(spec, "name") ?? "",
    spec,
    image: stringAt(spec, "image") ?? "",
    role,
    state: { kind: "waiting", reason: role === "main" ? "ContainerCreating" : "PodInitializing" },
    last: undefined,
    restartCount: 0,
    notBefore: 0,
    crashes: 0,
    pullFailures: 0,
    ranSince: undefined,
    probedReady: false,
    isStarting: false,
    probes: undefined,
    restartPending: false,
  };
}

/**
 * Restores the container state of an earlier simulation process. Terminated containers remain terminated. Running containers
 * start again.
 */
export function adopt(record: ContainerRecord, pod: KubeObject): void {
  const statuses = [
    ...listAt(pod, "status", "containerStatuses"),
    ...listAt(pod, "status", "initContainerStatuses"),
  ];
  const status = statuses.find((each) => stringAt(each, "name") === record.name);
  record.restartCount = numberAt(status, "restartCount") ?? 0;
  const running = stringAt(status, "state", "running", "startedAt");
  if (running !== undefined) {
    record.ranSince = new Date(running);
    record.restartPending = true;
  }
  const exitCode = numberAt(status, "state", "terminated", "exitCode");
  if (exitCode === undefined) return;
  const time = (member: string) => new Date(stringAt(status, "state", "terminated", member) ?? 0);
  const reason = stringAt(status, "state", "terminated", "reason") ?? "";
  record.state = {
    kind: "terminated",
    run: endedRun(time("startedAt"), { exitCode, reason }),
    ending: { exitCode, reason },
    finishedAt: time("finishedAt"),
  };
}
