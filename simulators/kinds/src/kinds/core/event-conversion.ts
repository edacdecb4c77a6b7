import type { KubeObject } from "@keelson/apimachinery";

/**
 * Event field names in core/v1, mapped to their names in events.k8s.io/v1. Source: kubernetes pkg/apis/events/v1/conversion.go.
 */
const eventNames: ReadonlyMap<string, string> = new Map([
  ["involvedObject", "regarding"],
  ["message", "note"],
  ["source", "deprecatedSource"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
  ["reportingComponent", "reportingController"],
]);

const coreNames: ReadonlyMap<string, string> = new Map([...eventNames].map(([core, event]) => [event, core]));

/** Converts an Event from core/v1 to events.k8s.io/v1. */
export function toEventsEvent(event: KubeObject): KubeObject {
  return renamed(event, eventNames);
}

/** Converts an Event from events.k8s.io/v1 to core/v1. */
export function toCoreEvent(event: KubeObject): KubeObject {
  return renamed(event, coreNames);
}

function renamed(object: KubeObject, names: ReadonlyMap<string, string>): KubeObject {
  const { apiVersion, kind, metadata, ...rest } = object;
  const members = Object.entries(rest).map(([name, value]) => [names.get(name) ?? name, value] as const);
  return { apiVersion, kind, metadata, ...Object.fromEntries(members) };
}
