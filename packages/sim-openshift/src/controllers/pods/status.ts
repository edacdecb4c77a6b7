import { createHash } from "node:crypto";
import type { KubeObject } from "@keelson/apiserver";
import { type Condition, timestamp, withConditions } from "../../runtime/conditions.ts";
import { at, listAt, recordAt, textAt } from "../../runtime/fields.ts";

/** The status of a pod whose containers all run and are ready on `node`. */
export function runningStatus(
  pod: KubeObject,
  node: KubeObject,
  pods: readonly KubeObject[],
  now: Date,
): Record<string, unknown> {
  const hostIP = textAt(
    listAt(node, "status", "addresses").find((each) => textAt(each, "type") === "InternalIP"),
    "address",
  );
  const podIP = at(pod, "spec", "hostNetwork") === true ? hostIP : podAddress(pod, pods);
  const startTime = textAt(pod, "status", "startTime") ?? timestamp(now);
  const conditions: readonly Condition[] = [
    "PodReadyToStartContainers",
    "Initialized",
    "Ready",
    "ContainersReady",
    "PodScheduled",
  ].map((type) => ({ type, status: "True" }));
  return {
    ...recordAt(pod, "status"),
    phase: "Running",
    conditions: withConditions(pod, conditions, now),
    hostIP,
    hostIPs: hostIP ? [{ ip: hostIP }] : [],
    podIP,
    podIPs: podIP ? [{ ip: podIP }] : [],
    startTime,
    containerStatuses: listAt(pod, "spec", "containers").map((container) =>
      containerStatus(pod, container, startTime),
    ),
    qosClass: textAt(pod, "status", "qosClass") ?? "Burstable",
  };
}

/** The status of a pod whose node fell silent: still running for all anyone knows, but not ready. */
export function lostStatus(pod: KubeObject, now: Date): Record<string, unknown> {
  const conditions = (["Ready", "ContainersReady"] as const).map(
    (type): Condition => ({ type, status: "False" }),
  );
  return { ...recordAt(pod, "status"), conditions: withConditions(pod, conditions, now) };
}

export function unschedulableStatus(pod: KubeObject, nodes: number, now: Date): Record<string, unknown> {
  const condition: Condition = {
    type: "PodScheduled",
    status: "False",
    reason: "Unschedulable",
    message: `0/${nodes} nodes are available: no ready node matches the pod's node selector and tolerations.`,
  };
  return { ...recordAt(pod, "status"), phase: "Pending", conditions: withConditions(pod, [condition], now) };
}

function containerStatus(pod: KubeObject, container: unknown, startedAt: string): Record<string, unknown> {
  const name = textAt(container, "name") ?? "";
  const image = textAt(container, "image") ?? "";
  return {
    name,
    image,
    imageID: `${image.replace(/[:@].*$/, "")}@sha256:${digest(image)}`,
    containerID: `cri-o://${digest(`${pod.metadata.uid}/${name}`)}`,
    ready: true,
    started: true,
    restartCount: 0,
    lastState: {},
    state: { running: { startedAt } },
  };
}

/** An address of the pod network 10.128.0.0/14, derived from the pod and moved on where one has it already. */
function podAddress(pod: KubeObject, pods: readonly KubeObject[]): string {
  const present = textAt(pod, "status", "podIP");
  if (present) return present;
  const used = new Set(pods.map((each) => textAt(each, "status", "podIP")));
  const size = 1 << 18;
  const start = Number.parseInt(digest(pod.metadata.uid ?? pod.metadata.name).slice(0, 8), 16) % size;
  for (let offset = 0; offset < size; offset++) {
    const host = (start + offset) % size;
    const address = `10.${128 + (host >> 16)}.${(host >> 8) & 255}.${host & 255}`;
    if (!used.has(address)) return address;
  }
  throw new Error("the pod network has no free address");
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
