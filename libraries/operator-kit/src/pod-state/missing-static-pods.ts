import { formatGoDuration, isPlainObject, listAt, stringAt, valueAt } from "@keelson/base";
import { type Controller, done } from "@keelson/controller";
import { type KubeObject, type ObjectKey, resources } from "@keelson/kube";
import { parse } from "yaml";
import {
  type OperatorParts,
  type OperatorRequest,
  operatorController,
} from "../operator/operator-controller.ts";
import {
  manifestName,
  mirrorPodKey,
  podsOf,
  revisionName,
  revisionOf,
  type StaticPod,
  timeAt,
  watchPods,
} from "../static-pod/static-pod.ts";
import { installedRevision, nodeOf } from "./pending-installers.ts";

export interface MissingStaticPodOptions {
  readonly pod: StaticPod;
  /** Maximum time in ms for the replacement of a pod, in addition to the pod's grace period. */
  readonly toleratedMs: (request: OperatorRequest<OperatorParts>) => number;
}

/** Default replacement times in ms, for clusters with several masters and with a single master. */
export const replacementMs = { several: 150_000, single: 180_000 } as const;

const eventEveryMs = 30 * 60_000;
const defaultGraceSeconds = 30;

/** Reports static pods that the kubelet does not start although an installer wrote them. */
export function missingStaticPods<Parts extends OperatorParts>({
  pod,
  toleratedMs,
}: MissingStaticPodOptions): Controller<Parts> {
  const reported = new Map<string, number>();
  return operatorController<Parts>(pod.resource, {
    name: "MissingStaticPodController",
    degraded: { type: "MissingStaticPodControllerDegraded", failed: "SyncError", fine: "AsExpected" },
    watches: [watchPods(pod)],
    resyncMs: 60_000,
    async reconcile(request) {
      const { cache, clock, events } = request.parts;
      const missing: string[] = [];
      for (const [node, installer] of latestInstallers(podsOf(cache, pod))) {
        const finished = finishedAt(installer);
        if (!finished) continue;
        const revision = installedRevision(installer);
        const key = { namespace: pod.namespace, name: revisionName(manifestName(pod), revision) };
        const waitMs = graceMs(key, cache.find(resources.configMaps, key)) + toleratedMs(request);
        const running = revisionOf(cache.find(resources.pods, mirrorPodKey(pod, node))) ?? 0;
        const nowMs = clock.now().getTime();
        if (nowMs - finished.getTime() <= waitMs || running >= revision) continue;
        const message = `static pod lifecycle failure - static pod: ${JSON.stringify(pod.name)} in namespace: ${JSON.stringify(pod.namespace)} for revision: ${revision} on node: ${JSON.stringify(node)} didn't show up, waited: ${formatGoDuration(waitMs)}`;
        missing.push(message);
        const id = `${node}/${revision}`;
        if (nowMs - (reported.get(id) ?? 0) <= eventEveryMs) continue;
        for (const each of reported.keys()) if (each.startsWith(`${node}/`)) reported.delete(each);
        reported.set(id, nowMs);
        events.report({ type: "Normal", reason: "MissingStaticPod", message });
      }
      if (missing.length > 0) throw new Error(missing.join("\n"));
      return done;
    },
  });
}

/** Returns the most recent installer pod of each node. */
function latestInstallers(pods: readonly KubeObject[]): ReadonlyMap<string, KubeObject> {
  const latest = new Map<string, KubeObject>();
  const created = (pod: KubeObject) => timeAt(pod, "metadata", "creationTimestamp")?.getTime() ?? 0;
  for (const pod of pods) {
    const node = nodeOf(pod);
    if (pod.metadata.labels?.app !== "installer" || node === "") continue;
    const before = latest.get(node);
    if (!before || created(before) <= created(pod)) latest.set(node, pod);
  }
  return latest;
}

/** Returns the time when an installer succeeded. Undefined if it has not succeeded. */
function finishedAt(pod: KubeObject): Date | undefined {
  const [container] = listAt(pod, "status", "containerStatuses");
  return stringAt(pod, "status", "phase") === "Succeeded"
    ? timeAt(container, "state", "terminated", "finishedAt")
    : undefined;
}

/**
 * Returns the termination grace period, in ms, of the pod manifest in a ConfigMap.
 * @throws Error if the ConfigMap has no readable manifest. No kubelet starts a pod without a readable manifest.
 */
export function graceMs({ namespace, name }: Required<ObjectKey>, configMap: KubeObject | undefined): number {
  if (!configMap) throw new Error(`configmap ${JSON.stringify(name)} not found`);
  const text = stringAt(configMap, "data", "pod.yaml");
  if (text === undefined) throw new Error(`didn't find required key "pod.yaml" in cm: ${name}/${namespace}`);
  const manifest: unknown = parse(text, { maxAliasCount: 100, logLevel: "error" });
  if (!isPlainObject(manifest)) throw new Error(`pod.yaml in cm: ${name}/${namespace} is not an object`);
  const seconds = valueAt(manifest, "spec", "terminationGracePeriodSeconds") ?? defaultGraceSeconds;
  if (typeof seconds !== "number" || !Number.isInteger(seconds))
    throw new Error(
      `json: cannot unmarshal ${typeof seconds} into Go struct field PodSpec.spec.terminationGracePeriodSeconds of type int64`,
    );
  return seconds * 1_000;
}
