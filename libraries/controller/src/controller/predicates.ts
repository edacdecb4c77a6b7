import { isDeepStrictEqual } from "node:util";
import type { Change } from "../cache/informer.ts";

/** Whether a change is of interest. Creations and deletions pass all but `named` and `withLabels`. */
export type Predicate = (change: Change) => boolean;

/** The wanted state changed: not the status, and of most kinds not the metadata. */
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

/** The objects that have these labels, or had them until now. */
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
