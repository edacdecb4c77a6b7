import type { KubeObject, KubeResource, ObjectKey } from "@keelson/kube";
import type { ObservationScope, ObservedInput, ObservedObjects } from "@keelson/operator-kit";

/** Name of the single object that a configuration kind has. */
export const singleton = { name: "cluster" } as const satisfies ObjectKey;

export function clusterInput(resource: KubeResource): ObservedInput {
  return { resource, selection: { fieldSelector: `metadata.name=${singleton.name}` } };
}

export function namespaceInput(resource: KubeResource, namespace: string): ObservedInput {
  return { resource, selection: { namespace } };
}

export function objectInput(resource: KubeResource, { namespace, name }: Required<ObjectKey>): ObservedInput {
  return { resource, selection: { namespace, fieldSelector: `metadata.name=${name}` } };
}

/**
 * Returns the object `cluster` of a configuration kind.
 * @throws Error if it does not exist
 */
export function getSingleton(objects: ObservedObjects, resource: KubeResource): KubeObject {
  const object = objects.find(resource, singleton);
  if (!object) throw new Error(`${resource.plural}.${resource.group}/cluster: not found`);
  return object;
}

/** Function that reports an Event of an observer. */
export type Report = ObservationScope["report"];

export function normal(reason: string, message: string): Parameters<Report>[0] {
  return { type: "Normal", reason, message };
}

export function warning(reason: string, message: string): Parameters<Report>[0] {
  return { type: "Warning", reason, message };
}

/** Formats a list of strings for messages. */
export function quotedList(texts: readonly string[]): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(" ")}]`;
}
