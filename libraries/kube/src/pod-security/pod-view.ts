import { listAt, objectAt, stringAt, valueAt } from "@keelson/base";

/** Pod or pod template that the checks evaluate. */
export interface PodView {
  readonly annotations: Readonly<Record<string, unknown>>;
  readonly spec: unknown;
  /** Init, regular and ephemeral containers, in the order in which violations list them. */
  readonly containers: readonly unknown[];
}

/** Violation of a pod security level: a short reason and the affected fields. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

export function podView(metadata: unknown, spec: unknown): PodView {
  const annotations = valueAt(metadata, "annotations");
  return {
    annotations: objectAt(annotations),
    spec,
    containers: ["initContainers", "containers", "ephemeralContainers"].flatMap((list) => listAt(spec, list)),
  };
}

/** Returns the names of containers that violate a check. */
export function namesWhere(pod: PodView, isWrong: (container: unknown) => boolean): readonly string[] {
  return pod.containers.filter(isWrong).map((container) => stringAt(container, "name") ?? "");
}

/** Returns a field of the security context of a container or of the pod. */
export function context(part: unknown, ...path: readonly string[]): unknown {
  return valueAt(part, "securityContext", ...path);
}

export function plural(count: number, one: string, more = `${one}s`): string {
  return count === 1 ? one : more;
}

export function quoted(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(", ");
}

export function named(containers: readonly string[]): string {
  return `${plural(containers.length, "container")} ${quoted(containers)}`;
}

/** Returns the phrase that names where a forbidden field is set: in the pod, in containers, or in both. */
export function sayers(isPod: boolean, containers: readonly string[]): string {
  return [...(isPod ? ["pod"] : []), ...(containers.length > 0 ? [named(containers)] : [])].join(" and ");
}

/** Returns the distinct strings, sorted. */
export function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}
