import { listAt, stringAt, valueAt } from "@keelson/base";
import type { Condition, Controller } from "@keelson/controller";
import { findCondition, type KubeObject, resources } from "@keelson/kube";
import { type OperatorParts, operatorController } from "../operator/operator-controller.ts";
import { podsOf, type StaticPod, timeAt, watchPods } from "../static-pod/static-pod.ts";

const types = [
  "InstallerPodPendingDegraded",
  "InstallerPodContainerWaitingDegraded",
  "InstallerPodNetworkingDegraded",
] as const;

/** Maximum time in ms that an installer may be pending. */
const toleratedMs = 300_000;

/** Reports installers that do not start, with the reason. */
export function pendingInstallers<Parts extends OperatorParts>(pod: StaticPod): Controller<Parts> {
  return operatorController<Parts>(pod.resource, {
    name: "InstallerStateController",
    conditions: types,
    watches: [watchPods(pod)],
    // The controller also runs once a minute, because a pod can exceed its time limit although no object changes.
    resyncMs: 60_000,
    async reconcile({ configuration, parts, signal }) {
      const { api, cache, clock, events } = parts;
      const pending = latePods(podsOf(cache, pod), clock.now());
      // Events are numerous and are therefore not watched. They are listed only if an installer is pending.
      const noted =
        pending.length === 0
          ? []
          : (await api.list(resources.events, { namespace: pod.namespace }, signal)).items;
      const conditions = pendingConditions(pending, noted);
      for (const { type, status, reason = "", message = "" } of conditions) {
        const known = findCondition(configuration, type);
        if (status === "True" && stringAt(known, "message") !== message)
          events.report({ type: "Warning", reason, message });
      }
      return { conditions };
    },
  });
}

/**
 * Returns the installers that have been pending for too long. An installer is excluded if a newer installer has started on its
 * node.
 */
export function latePods(pods: readonly KubeObject[], now: Date): readonly KubeObject[] {
  const installers = pods.filter(({ metadata }) => metadata.labels?.app === "installer");
  const since = (pod: KubeObject) =>
    stringAt(pod, "status", "phase") === "Pending" ? timeAt(pod, "status", "startTime") : undefined;
  const started = new Map<string, number>();
  for (const each of installers)
    if (!since(each))
      started.set(nodeOf(each), Math.max(started.get(nodeOf(each)) ?? 0, installedRevision(each)));
  return installers.filter((each) => {
    const start = since(each);
    return (
      start !== undefined &&
      now.getTime() - start.getTime() >= toleratedMs &&
      installedRevision(each) >= (started.get(nodeOf(each)) ?? 0)
    );
  });
}

export function pendingConditions(
  pods: readonly KubeObject[],
  events: readonly KubeObject[],
): readonly Condition[] {
  const found = new Map<string, Condition>();
  const note = (type: string, reason: string, message: string) => {
    if (reason !== "" && !found.has(type)) found.set(type, { type, status: "True", reason, message });
  };
  for (const pod of pods) {
    const { name } = pod.metadata;
    const place = `Pod ${JSON.stringify(name)} on node ${JSON.stringify(nodeOf(pod))}`;
    const since = stringAt(pod, "status", "startTime") ?? "";
    const reason = stringAt(pod, "status", "reason") ?? "";
    const message = stringAt(pod, "status", "message") ?? "";
    note(types[0], reason, `${place} is Pending since ${since} because ${message}`);
    for (const status of listAt(pod, "status", "containerStatuses")) {
      const waiting = valueAt(status, "state", "waiting");
      const why = stringAt(waiting, "reason") ?? "";
      const detail = stringAt(waiting, "message") ?? "";
      const container = `${place} container ${JSON.stringify(stringAt(status, "name") ?? "")}`;
      const cause = detail === "" ? why : JSON.stringify(detail);
      note(types[1], why, `${container} is waiting since ${since} because ${cause}`);
    }
    for (const event of events) {
      const message = stringAt(event, "message") ?? "";
      const isAbout =
        stringAt(event, "involvedObject", "kind") === "Pod" &&
        stringAt(event, "involvedObject", "name") === name;
      if (isAbout && message.includes("failed to create pod network"))
        note(types[2], stringAt(event, "reason") ?? "", `${place} observed degraded networking: ${message}`);
    }
  }
  return types.map((type) => found.get(type) ?? { type, status: "False" });
}

/** Returns the revision in an installer pod's name. */
export function installedRevision({ metadata: { name } }: KubeObject): number {
  const [, digits] = /^installer-(\d{1,9})-/.exec(name) ?? [];
  return digits === undefined ? 0 : Number(digits);
}

export function nodeOf(pod: KubeObject): string {
  return stringAt(pod, "spec", "nodeName") ?? "";
}
