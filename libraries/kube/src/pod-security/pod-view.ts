import { listAt, objectAt, stringAt, valueAt } from "@keelson/base";

/** A pod, or a template of one, as checks read it. */
export interface PodView {
  readonly annotations: Readonly<Record<string, unknown>>;
  readonly spec: unknown;
  /** Of all three kinds, in the order in which they are named. */
  readonly containers: readonly unknown[];
}

/** Why a pod is not of a level: in few words, and in which places. */
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

/** The names of containers that something is wrong with. */
export function namesWhere(pod: PodView, isWrong: (container: unknown) => boolean): readonly string[] {
  return pod.containers.filter(isWrong).map((container) => stringAt(container, "name") ?? "");
}

/** The security context's field of a container, or of the pod. */
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

/** Who says something: the pod itself, containers, or both. */
export function sayers(isPod: boolean, containers: readonly string[]): string {
  return [...(isPod ? ["pod"] : []), ...(containers.length > 0 ? [named(containers)] : [])].join(" and ");
}

/** Each text once, in order. */
export function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}
