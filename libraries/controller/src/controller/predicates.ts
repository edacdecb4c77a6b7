import { isDeepStrictEqual } from "node:util";
import type { Change } from "../cache/informer.ts";

/** Selects relevant changes. Creations and deletions match all predicates except `named` and `withLabels`. */
export type Predicate = (change: Change) => boolean;

/** True if the desired state changed. The status, and for most kinds the metadata, do not count. */
export const generationChanged: Predicate = ({ object, before, type }) =>
  type !== "updated" || object.metadata.generation !== before.metadata.generation;

export const labelsChanged: Predicate = ({ object, before, type }) =>
  type !== "updated" || !isDeepStrictEqual(object.metadata.labels, before.metadata.labels);

export const annotationsChanged: Predicate = ({ object, before, type }) =>
  type !== "updated" || !isDeepStrictEqual(object.metadata.annotations, before.metadata.annotations);

/** The objects of these names only. */
export function named(...names: readonly string[]): Predicate {
  return ({ object }) => names.includes(object.metadata.name);
}

/** Selects objects that have these labels, or had them before the change. */
export function withLabels(labels: Readonly<Record<string, string>>): Predicate {
  const has = ({ metadata }: Change["object"]) =>
    Object.entries(labels).every(([name, value]) => metadata.labels?.[name] === value);
  return ({ object, before }) => has(object) || (before !== undefined && has(before));
}

export function anyOf(...predicates: readonly Predicate[]): Predicate {
  return (change) => predicates.some((predicate) => predicate(change));
}

export function allOf(...predicates: readonly Predicate[]): Predicate {
  return (change) => predicates.every((predicate) => predicate(change));
}
