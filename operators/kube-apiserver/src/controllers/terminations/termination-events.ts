import { numberAt, stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

/** Reasons that a terminating API server reports, in this order. */
const steps = new Set([
  "TerminationStart",
  "TerminationPreShutdownHooksFinished",
  "TerminationMinimalShutdownDurationFinished",
  "TerminationStoppedServing",
  "TerminationGracefulTerminationFinished",
]);
const lateConnections = "LateConnections";
/** Annotation with the number of counted occurrences of an Event. It survives a restart of the process. */
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

/** Undefined for Events of something else. */
export function terminationStep(event: KubeObject): TerminationStep | undefined {
  const step = stringAt(event, "reason") ?? "";
  const pod = stringAt(event, "involvedObject", "name");
  if (!steps.has(step) || pod === undefined || stringAt(event, "involvedObject", "kind") !== "Pod")
    return undefined;
  const at = new Date(stringAt(event, "lastTimestamp") ?? stringAt(event, "eventTime") ?? "");
  return Number.isNaN(at.getTime()) ? undefined : { pod, step, at };
}

export interface LateConnections {
  /** Name of the API server: the object of the Event, or else its reporter. */
  readonly name: string;
  /** Occurrences that have not been counted yet. */
  readonly uncounted: number;
  /** Total number of occurrences. */
  readonly count: number;
}

/** Uncounted occurrences. `undefined` if all are counted. */
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

/** Reduces an Event to the fields that are read. Namespaces can have thousands. */
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
