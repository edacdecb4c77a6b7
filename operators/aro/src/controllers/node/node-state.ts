import { stringAt, valueAt } from "@keelson/base";
import { conditionStatus, type KubeObject } from "@keelson/kube";

export const drainStartAnnotation = "aro.openshift.io/drainStartTime";
const prefix = "machineconfiguration.openshift.io/";
const current = `${prefix}currentConfig`;
const desired = `${prefix}desiredConfig`;
const state = `${prefix}state`;
const reason = `${prefix}reason`;
const kept = [drainStartAnnotation, current, desired, state, reason];
const masterLabel = "node-role.kubernetes.io/master";
const maxDrainMs = 3_600_000;

/**
 * Reduces nodes to the fields that the controller reads. The removed fields include images and heartbeats, which nodes report
 * continuously.
 */
export function drainFields(node: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = node;
  const { name, uid, resourceVersion, labels, annotations = {} } = metadata;
  const isMaster = labels?.[masterLabel] !== undefined;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(isMaster ? { labels: { [masterLabel]: "" } } : {}),
      annotations: Object.fromEntries(Object.entries(annotations).filter(([each]) => kept.includes(each))),
    },
    spec: { unschedulable: valueAt(node, "spec", "unschedulable") === true },
    status: { conditions: [{ type: "Ready", status: conditionStatus(node, "Ready") ?? "Unknown" }] },
  } as KubeObject;
}

/** True for a master. Masters are never drained by force, because etcd needs its quorum. */
export function isMaster({ metadata }: KubeObject): boolean {
  return metadata.labels?.[masterLabel] !== undefined;
}

/** True if the machine config operator is draining the node for a new configuration, or failed to drain it. */
export function isDraining(node: KubeObject): boolean {
  const annotations = node.metadata.annotations ?? {};
  const { [current]: from, [desired]: to, [state]: now } = annotations;
  if (conditionStatus(node, "Ready") !== "True" || valueAt(node, "spec", "unschedulable") !== true)
    return false;
  if (!from || !to || from === to) return false;
  return (
    now === "Working" ||
    (now === "Degraded" && (annotations[reason] ?? "").startsWith("failed to drain node"))
  );
}

/** Returns the start of the drain. `undefined` if the annotation is missing or invalid. */
export function drainStart(node: KubeObject): Date | undefined {
  const text = stringAt(node, "metadata", "annotations", drainStartAnnotation);
  const start = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(start) ? undefined : new Date(start);
}

/** Returns the time in ms until the pods are deleted. The result is at most one hour for any value of the annotation. */
export function patienceMs(start: Date, now: Date): number {
  return Math.min(start.getTime() + maxDrainMs - now.getTime(), maxDrainMs);
}
