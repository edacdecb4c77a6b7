import { createHash } from "node:crypto";
import type { KubeObject } from "@keelson/apiserver";
import { objectAt, valueAt } from "@keelson/base";
import { type Condition, timestamp } from "@keelson/controller";
import { withConditions } from "../base/conditions.ts";
import { withoutDigest } from "../base/repository-name.ts";
import type { ContainerRecord } from "./container-record.ts";

export interface PodRuntime {
  readonly containers: readonly ContainerRecord[];
  readonly startedAt: Date;
  readonly finished: "Succeeded" | "Failed" | undefined;
}

/** Returns the status of a pod from its container states (core/v1 PodStatus). */
export function podStatus(
  pod: KubeObject,
  { containers, startedAt, finished }: PodRuntime,
  address: { readonly hostIP: string | undefined; readonly podIP: string },
  now: Date,
): Record<string, unknown> {
  const mains = containers.filter(({ role }) => role === "main");
  const others = containers.filter(({ role }) => role !== "main");
  const initialised = others.every(isInitialised);
  const ready =
    initialised &&
    finished === undefined &&
    [...mains, ...others.filter(({ role }) => role === "sidecar")].every(isReady);
  const begun = containers.some(({ state, last }) => state.kind !== "waiting" || last !== undefined);
  const sandbox = begun || finished !== undefined;
  const unready = mains.filter((each) => !isReady(each)).map(({ name }) => name);
  const reason =
    finished === "Succeeded"
      ? { reason: "PodCompleted" }
      : finished === "Failed"
        ? { reason: "PodFailed" }
        : {
            reason: "ContainersNotReady",
            message: `containers with unready status: [${unready.join(" ")}]`,
          };
  const uninitialised = others.filter((each) => !isInitialised(each)).map(({ name }) => name);
  const conditions: readonly Condition[] = [
    { type: "PodReadyToStartContainers", status: sandbox && finished === undefined ? "True" : "False" },
    initialised
      ? {
          type: "Initialized",
          status: "True",
          ...(finished === "Succeeded" ? { reason: "PodCompleted" } : {}),
        }
      : {
          type: "Initialized",
          status: "False",
          reason: "ContainersNotInitialized",
          message: `containers with incomplete status: [${uninitialised.join(" ")}]`,
        },
    ready ? { type: "Ready", status: "True" } : { type: "Ready", status: "False", ...reason },
    ready
      ? { type: "ContainersReady", status: "True" }
      : { type: "ContainersReady", status: "False", ...reason },
    { type: "PodScheduled", status: "True" },
  ];
  const mainBegun = mains.some(({ state, last }) => state.kind !== "waiting" || last !== undefined);
  const { hostIP } = address;
  const podIP = valueAt(pod, "spec", "hostNetwork") === true ? hostIP : address.podIP;
  return {
    ...objectAt(pod, "status"),
    phase: finished ?? (mainBegun ? "Running" : "Pending"),
    conditions: withConditions(pod, conditions, now),
    ...(hostIP ? { hostIP, hostIPs: [{ ip: hostIP }] } : {}),
    ...(sandbox && podIP ? { podIP, podIPs: [{ ip: podIP }] } : {}),
    startTime: timestamp(startedAt),
    containerStatuses: mains.map((each) => containerStatus(pod, each, initialised)),
    ...(others.length > 0
      ? { initContainerStatuses: others.map((each) => containerStatus(pod, each, true)) }
      : {}),
  };
}

/** Returns the status of a pod on an unresponsive node. The pod is running but not ready. */
export function lostStatus(pod: KubeObject, now: Date): Record<string, unknown> {
  const conditions = (["Ready", "ContainersReady"] as const).map(
    (type): Condition => ({ type, status: "False" }),
  );
  return { ...objectAt(pod, "status"), conditions: withConditions(pod, conditions, now) };
}

function isInitialised({ role, state }: ContainerRecord): boolean {
  if (role === "sidecar") return state.kind === "running";
  return state.kind === "terminated" && state.ending.exitCode === 0;
}

function isReady({ state, probedReady }: ContainerRecord): boolean {
  return state.kind === "running" && probedReady;
}

function containerStatus(
  pod: KubeObject,
  record: ContainerRecord,
  initialised: boolean,
): Record<string, unknown> {
  const { name, image, state, last, restartCount, role } = record;
  const id = (run: number) => `cri-o://${digest(`${pod.metadata.uid}/${name}/${run}`)}`;
  const begun = state.kind !== "waiting" || last !== undefined;
  const ended = role === "init" && state.kind === "terminated" && state.ending.exitCode === 0;
  return {
    name,
    image,
    imageID: begun ? `${withoutDigest(image).replace(/:[^:/]*$/, "")}@sha256:${digest(image)}` : "",
    ...(begun ? { containerID: id(restartCount) } : {}),
    ready: isReady(record) || ended,
    started: state.kind === "running",
    restartCount,
    lastState: last ? { terminated: terminated(last, id(Math.max(0, restartCount - 1))) } : {},
    state:
      state.kind === "running"
        ? { running: { startedAt: timestamp(state.run.startedAt) } }
        : state.kind === "terminated"
          ? { terminated: terminated(state, id(restartCount)) }
          : {
              waiting: {
                reason:
                  initialised || state.reason !== "ContainerCreating" ? state.reason : "PodInitializing",
                ...(state.message ? { message: state.message } : {}),
              },
            },
  };
}

function terminated(
  { run, ending, finishedAt }: Extract<ContainerRecord["state"], { kind: "terminated" }>,
  containerID: string,
): Record<string, unknown> {
  return {
    exitCode: ending.exitCode,
    reason: ending.reason,
    ...(ending.message ? { message: ending.message } : {}),
    startedAt: timestamp(run.startedAt),
    finishedAt: timestamp(finishedAt),
    containerID,
  };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
