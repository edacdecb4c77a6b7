import { isDeepStrictEqual } from "node:util";
import type { Change } from "../cache/informer.ts";

/**
 * Selects the changes that trigger a reconcile. All predicates except `named` and `withLabels` select every creation and
 * deletion.
 */
export type Predicate = (change: Change) => boolean;

/**
 * Ignores updates that leave `metadata.generation`, and therefore the desired state, unchanged. These are status updates and, for
 * most kinds, metadata updates.
 */
export const generationChanged: Predicate = ({ object, before, type }) =>
  type !== "updated" || object.metadata.generation !== before.metadata.generation;

export const labelsChanged: Predicate = ({ object, before, type }) =>
  type !== "updated" || !isDeepStrictEqual(object.metadata.labels, before.metadata.labels);

export const annotationsChanged: Predicate = ({ object, before, type }) =>
  type !== "updated" || !isDeepStrictEqual(object.metadata.annotations, before.metadata.annotations);

/** Selects objects with one of these names. */
export function named(...names: readonly string[]): Predicate {
  return ({ object }) => names.includes(object.metadata.name);
}

/** Selects changes of objects with these labels. Also selects an update that removed one of the labels. */
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
