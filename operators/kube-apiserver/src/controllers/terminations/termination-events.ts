import { numberAt, stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

/** Event reasons of a terminating API server, in the order of the termination. */
const steps = new Set([
  "TerminationStart",
  "TerminationPreShutdownHooksFinished",
  "TerminationMinimalShutdownDurationFinished",
  "TerminationStoppedServing",
  "TerminationGracefulTerminationFinished",
]);
const lateConnections = "LateConnections";
/** Annotation with the number of counted occurrences of an Event. The number survives a restart of this process. */
export const countedAnnotation = "eventwatch.openshift.io/last-seen-count";

export interface TerminationStep {
  readonly pod: string;
  readonly step: string;
  readonly at: Date;
}

export function isOfTermination(event: KubeObject): boolean {
  const reason = stringAt(event, "reason") ?? "";
  return steps.has(reason) || reason === lateConnections;
}

/** Returns the termination step that an Event reports. Undefined for any other Event. */
export function terminationStep(event: KubeObject): TerminationStep | undefined {
  const step = stringAt(event, "reason") ?? "";
  const pod = stringAt(event, "involvedObject", "name");
  if (!steps.has(step) || pod === undefined || stringAt(event, "involvedObject", "kind") !== "Pod")
    return undefined;
  const at = new Date(stringAt(event, "lastTimestamp") ?? stringAt(event, "eventTime") ?? "");
  return Number.isNaN(at.getTime()) ? undefined : { pod, step, at };
}

export interface LateConnections {
  /** Name of the API server. It is the name of the Event's object, or else the name of the Event's reporter. */
  readonly name: string;
  /** Occurrences that have not been counted yet. */
  readonly uncounted: number;
  /** Total number of occurrences. */
  readonly count: number;
}

/** Returns the uncounted occurrences of an Event. `undefined` if all occurrences have been counted. */
export function uncountedLateConnections(event: KubeObject): LateConnections | undefined {
  if (stringAt(event, "reason") !== lateConnections) return undefined;
  const count = numberAt(event, "count") ?? 1;
  const counted = Number(event.metadata.annotations?.[countedAnnotation] ?? "0");
  const uncounted = Number.isSafeInteger(counted) ? count - counted : count;
  if (uncounted <= 0) return undefined;
  const name =
    stringAt(event, "involvedObject", "name") ||
    stringAt(event, "source", "component") ||
    stringAt(event, "source", "host") ||
    "";
  return { name, uncounted, count };
}

/** Reduces an Event to the fields that the controller reads. A namespace may have thousands of Events. */
export function withoutDetails(event: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = event;
  const { name, namespace, uid, resourceVersion } = metadata;
  const own = {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
  if (!isOfTermination(event)) return { apiVersion, kind, metadata: own };
  const { annotations } = metadata;
  const members = ["reason", "involvedObject", "source", "lastTimestamp", "eventTime", "count"] as const;
  const kept = Object.fromEntries(
    members.flatMap((member) => {
      const value = (event as unknown as Readonly<Record<string, unknown>>)[member];
      return value === undefined ? [] : [[member, value]];
    }),
  );
  return { apiVersion, kind, metadata: { ...own, ...(annotations ? { annotations } : {}) }, ...kept };
}
