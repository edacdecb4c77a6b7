import { listAt, numberAt, stringAt, valueAt } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import { type CollectorScope, defineCollector } from "../collector.ts";
import { unexpectedConditions } from "../conditions.ts";

/**
 * Expected conditions of a pod. Kubelets of version 1.29 and later also report `PodReadyToStartContainers`. Azure/ARO-RP does not
 * list this condition as expected, so it reports a metric even for healthy pods.
 */
const expected = {
  ContainersReady: "True",
  Initialized: "True",
  PodScheduled: "True",
  Ready: "True",
  PodReadyToStartContainers: "True",
};
const restartsToReport = 10;
/**
 * Excludes completed pods, for example installer and pruner pods of static pods. Their containers never restart, so they cannot
 * have a problem.
 */
const notCompleted = "status.phase!=Succeeded";

const metrics = {
  "pod.conditions": {
    help: "1 for each condition of a pod of the platform with an unexpected status.",
    dimensions: ["name", "namespace", "nodeName", "status", "type"],
  },
  "pod.containerstatuses": {
    help: "1 for each platform container that waits. The dimension reason has the reason.",
    dimensions: ["name", "namespace", "nodeName", "containername", "reason", "lastTerminationState"],
  },
  "pod.restartcounter": {
    help: "Number of container restarts of a platform pod, if at least ten.",
    dimensions: ["name", "namespace"],
  },
} as const;

type Scope = CollectorScope<typeof metrics>;

/** Collects the conditions of pods in `namespaces`, which are namespaces of the platform. */
export const pods = (namespaces: readonly string[]) =>
  defineCollector({
    name: "emitPodConditions",
    metrics,
    async collect(scope) {
      for (const namespace of namespaces) {
        for (const pod of await scope.view.list(resources.pods, namespace, notCompleted)) report(pod, scope);
      }
    },
  });

function report(pod: KubeObject, scope: Scope): void {
  const isOver = stringAt(pod, "status", "phase") === "Succeeded";
  const isPreempted = stringAt(pod, "status", "reason") === "Preempting";
  if (!isOver && !isPreempted) reportConditions(pod, scope);
  if (!isOver) reportWaiting(pod, scope);
  reportRestarts(pod, scope);
}

function reportConditions(pod: KubeObject, { emit, explain }: Scope): void {
  for (const { type, status, message } of unexpectedConditions(pod, expected)) {
    const values = { ...placeOf(pod), status, type };
    emit("pod.conditions", 1, values);
    explain({ metric: "pod.conditions", ...values, message });
  }
}

function reportWaiting(pod: KubeObject, { emit, explain }: Scope): void {
  for (const container of containersOf(pod)) {
    const waiting = valueAt(container, "state", "waiting") ?? undefined;
    if (waiting === undefined) continue;
    const values = {
      ...placeOf(pod),
      containername: stringAt(container, "name") ?? "",
      reason: stringAt(waiting, "reason") ?? "",
      lastTerminationState: stringAt(container, "lastState", "terminated", "reason") ?? "",
    };
    emit("pod.containerstatuses", 1, values);
    explain({ metric: "pod.containerstatuses", ...values, message: stringAt(waiting, "message") ?? "" });
  }
}

function reportRestarts(pod: KubeObject, { emit, explain }: Scope): void {
  const restarts = containersOf(pod).reduce<number>(
    (sum, container) => sum + (numberAt(container, "restartCount") ?? 0),
    0,
  );
  if (restarts < restartsToReport) return;
  const { name, namespace } = placeOf(pod);
  emit("pod.restartcounter", restarts, { name, namespace });
  explain({ metric: "pod.restartcounter", name, namespace, restarts });
}

function containersOf(pod: KubeObject): readonly unknown[] {
  return listAt(pod, "status", "containerStatuses");
}

function placeOf(pod: KubeObject) {
  const { name, namespace = "" } = pod.metadata;
  return { name, namespace, nodeName: stringAt(pod, "spec", "nodeName") ?? "" };
}
