import { isPlainObject, listAt, numberAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { type KubeClient, type KubeObject, objectFields, resources } from "@keelson/kube";
import type { ContainerView, Pods, PodView } from "@keelson/portal-api";
import { namespaceOf } from "./visible-namespaces.ts";

const maxPods = 2_000;
const maxContainers = 50;

const containerNames = { name: true };
const reason = { reason: true };
const statuses = {
  name: true,
  ready: true,
  restartCount: true,
  state: { running: { startedAt: true }, waiting: reason, terminated: reason },
};
const fields = objectFields({
  metadata: { creationTimestamp: true },
  spec: { nodeName: true, containers: containerNames, initContainers: containerNames },
  status: { phase: true, reason: true, containerStatuses: statuses, initContainerStatuses: statuses },
});

/** Reads pods in visible namespaces with their containers, at most 2,000 pods. */
export async function readPods(
  kube: KubeClient,
  isVisible: (namespace: string) => boolean,
  signal: AbortSignal,
): Promise<Pods> {
  const { items } = await kube.list(resources.pods, { fields }, signal);
  const visible = items.filter((object) => isVisible(namespaceOf(object)));
  return { total: visible.length, pods: visible.slice(0, maxPods).map(podView) };
}

function podView(pod: KubeObject): PodView {
  const containers = containersOf(pod, "container", "containers", "containerStatuses");
  const statusesOf = listAt(pod, "status", "containerStatuses");
  const ready = statusesOf.filter((status) => valueAt(status, "ready") === true).length;
  const init = containersOf(pod, "init", "initContainers", "initContainerStatuses");
  return {
    name: pod.metadata.name,
    namespace: namespaceOf(pod),
    node: stringAt(pod, "spec", "nodeName") ?? "",
    phase: stringAt(pod, "status", "reason") || stringAt(pod, "status", "phase") || "Unknown",
    ready: `${ready}/${containers.length}`,
    restarts: containers.reduce((sum, { restarts }) => sum + restarts, 0),
    createdAt: stringAt(pod, "metadata", "creationTimestamp") ?? "",
    containers: [...containers, ...init].slice(0, maxContainers),
  };
}

function containersOf(
  pod: KubeObject,
  kind: ContainerView["kind"],
  list: "containers" | "initContainers",
  statusList: "containerStatuses" | "initContainerStatuses",
): readonly ContainerView[] {
  const byName = new Map(
    listAt(pod, "status", statusList).map((status) => [stringAt(status, "name") ?? "", status]),
  );
  return listAt(pod, "spec", list).map((container) => {
    const name = stringAt(container, "name") ?? "";
    const status = byName.get(name);
    return { name, kind, state: stateOf(status), restarts: countAt(status, "restartCount", 0) };
  });
}

function stateOf(status: unknown): string {
  const state = objectAt(status, "state");
  if (isPlainObject(state.running)) return "Running";
  const waiting = stringAt(state, "waiting", "reason");
  return waiting ?? stringAt(state, "terminated", "reason") ?? "Waiting";
}

/**
 * Returns a count from a cluster object, but at least `least`. Returns `least` if the value is not an integer, because the
 * cluster may return any value.
 */
export function countAt(value: unknown, name: string, least: number): number {
  const count = numberAt(value, name) ?? least;
  return Number.isSafeInteger(count) ? Math.max(least, count) : least;
}
