import { stringAt } from "@keelson/base";
import { type Cache, type Watch, watchFor } from "@keelson/controller";
import { findCondition, type KubeObject, type KubeResource, type ObjectKey, resources } from "@keelson/kube";
import { operatorKey } from "../operator/operator-resource.ts";

export interface RevisionedSource {
  readonly name: string;
  /** True if a revision can be created even if this source does not exist. */
  readonly optional?: boolean;
}

export interface SourceLists {
  readonly configMaps: readonly RevisionedSource[];
  readonly secrets: readonly RevisionedSource[];
}

/** Static pod that an operator runs on every master and updates in revisions. */
export interface StaticPod {
  /** Resource of the operator's configuration. Its kind has the fields of StaticPodOperatorSpec and StaticPodOperatorStatus. */
  readonly resource: KubeResource;
  /** Name of the static pod, for example `kube-apiserver`. A mirror pod's name consists of this name and the node name. */
  readonly name: string;
  /** Namespace of the pods, their configuration and its revisions. */
  readonly namespace: string;
  /** ConfigMaps and Secrets that each revision copies. The first ConfigMap contains the pod's manifest in the key `pod.yaml`. */
  readonly revisioned: SourceLists;
  /**
   * ConfigMaps and Secrets that are not copied into revisions. Their current content is synchronized to `certDir` on the node's
   * disk.
   */
  readonly live: SourceLists;
  /** `kube-apiserver-certs`. */
  readonly certDir: string;
  /** Operator image, used by installer, pruner and guard pods. */
  readonly operatorImage: string;
  readonly installerCommand: readonly string[];
  readonly prunerCommand: readonly string[];
}

export const masterLabel = "node-role.kubernetes.io/master";

/** Returns the name of the manifest file, which is also the prefix of revisions on disk. For example `kube-apiserver-pod`. */
export function manifestName({ revisioned }: StaticPod): string {
  const [first] = revisioned.configMaps;
  if (!first || first.optional) throw new Error("the first revisioned ConfigMap has the manifest of the pod");
  return first.name;
}

/**
 * Returns the ConfigMap key of the startup monitor's manifest. The monitor is a pod that observes the start of a revision on its
 * node. If the start fails, the monitor falls back to an earlier revision. A revision without this key is not monitored.
 */
export function startupMonitorMember({ name }: Pick<StaticPod, "name">): string {
  return `${name}-startup-monitor-pod.yaml`;
}

export function hasStartupMonitor(pod: StaticPod, cache: Cache, revision: number): boolean {
  const key = { namespace: pod.namespace, name: revisionName(manifestName(pod), revision) };
  return stringAt(cache.find(resources.configMaps, key), "data", startupMonitorMember(pod)) !== undefined;
}

export function revisionName(name: string, revision: number): string {
  return `${name}-${revision}`;
}

/** Returns the key of the mirror pod that the kubelet creates. */
export function mirrorPodKey({ name, namespace }: StaticPod, node: string): Required<ObjectKey> {
  return { namespace, name: `${name}-${node}` };
}

/** Returns the revision label of a pod. Undefined if the label is invalid. */
export function revisionOf(pod: KubeObject | undefined): number | undefined {
  const text = pod?.metadata.labels?.revision ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Returns the time at which the pod became ready. Undefined if the pod is not ready. */
export function readySince(pod: KubeObject | undefined): Date | undefined {
  const ready = findCondition(pod, "Ready");
  return stringAt(ready, "status") === "True" ? timeAt(ready, "lastTransitionTime") : undefined;
}

/**
 * Returns a time field of a Kubernetes object. If the time is malformed, the result is the Unix epoch. If the time is missing,
 * the result is undefined.
 */
export function timeAt(value: unknown, ...path: readonly string[]): Date | undefined {
  const text = stringAt(value, ...path);
  if (text === undefined) return undefined;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? new Date(0) : time;
}

/** Watches all pods of the namespace. Several controllers share this informer. */
export function watchPods({ namespace }: StaticPod): Watch<unknown> {
  return watchFor(resources.pods, operatorKey, { selection: { namespace } });
}

/** Watches the ConfigMaps and Secrets of the namespace. */
export function watchSources({ namespace }: StaticPod): readonly Watch<unknown>[] {
  return [resources.configMaps, resources.secrets].map((resource) =>
    watchFor(resource, operatorKey, { selection: { namespace } }),
  );
}

/**
 * Watches masters. Only changes of the values that `relevant` returns trigger a reconcile, because kubelets update node status
 * continuously.
 */
export function watchMasters(relevant: (node: KubeObject) => unknown): Watch<unknown> {
  return watchFor(resources.nodes, operatorKey, {
    selection: { labelSelector: `${masterLabel}=` },
    where: ({ type, object, before }) =>
      type !== "updated" || JSON.stringify(relevant(object)) !== JSON.stringify(relevant(before)),
  });
}

export function masters(cache: Cache): readonly KubeObject[] {
  const selection = { labelSelector: `${masterLabel}=` };
  return cache.informer(resources.nodes, { selection }).list();
}

export function podsOf(cache: Cache, { namespace }: StaticPod): readonly KubeObject[] {
  return cache.informer(resources.pods, { selection: { namespace } }).list();
}
