import { atOnce, Pace, type Phases } from "@keelson/apimachinery";
import { isPlainObject } from "@keelson/base";
import { elementsOf } from "./elements.ts";
import { type FieldSchema, type ListSchema, memberSchema, type SetSchema } from "./field-schema.ts";

/** Merges an applied configuration into a live value. Granular values are merged, atomic values are replaced. */
export function merge(schema: FieldSchema, live: unknown, applied: unknown): unknown {
  return atOnce(mergeInPhases(schema, live, applied));
}

export function* mergeInPhases(
  schema: FieldSchema,
  live: unknown,
  applied: unknown,
  pace = new Pace(),
): Phases<unknown> {
  if (pace.isOver()) yield;
  if (applied === undefined) return live;
  if (schema.kind === "leaf" || live === undefined || live === null) return applied;
  if (schema.kind === "set" || schema.kind === "list") {
    return Array.isArray(live) && Array.isArray(applied)
      ? yield* mergeLists(schema, live, applied, pace)
      : applied;
  }
  if (!isPlainObject(live) || !isPlainObject(applied)) return applied;
  const members = new Map(Object.entries(live));
  for (const [name, value] of Object.entries(applied)) {
    const inner = memberSchema(schema, name);
    // Fields without an owner in this schema do not change. These fields are server metadata, or the status in a write of the
    // main resource.
    if (inner) members.set(name, yield* mergeInPhases(inner, members.get(name), value, pace));
  }
  return Object.fromEntries(members);
}

/**
 * Merges two lists. Applied items keep their order. An item that exists only in the live list stays before the next item that
 * both lists contain. If a new applied item belongs at the same position, the live item comes first.
 * @see kubernetes-sigs/structured-merge-diff typed/merge.go
 */
function* mergeLists(
  schema: ListSchema | SetSchema,
  live: readonly unknown[],
  applied: readonly unknown[],
  pace: Pace,
): Phases<readonly unknown[]> {
  const liveElements = yield* elementsOf(schema, live, pace);
  const liveItems = new Map<string, unknown>();
  for (const [at, element] of liveElements.entries()) {
    // An applied item replaces all duplicates that have the same path element.
    liveItems.set(element, liveItems.has(element) ? undefined : live[at]);
  }
  yield;
  const elements = yield* elementsOf(schema, applied, pace);
  const isApplied = new Set(elements);
  const shared = elements.filter((element) => liveItems.has(element));
  const result: unknown[] = [];
  let cursor = 0;
  let nextShared = 0;
  for (const [at, element] of elements.entries()) {
    for (; cursor < live.length && liveElements[cursor] !== shared[nextShared]; cursor++) {
      if (!isApplied.has(liveElements[cursor] ?? "")) result.push(live[cursor]);
    }
    if (element === shared[nextShared]) {
      nextShared++;
      if (liveElements[cursor] === element) cursor++;
    }
    result.push(
      schema.kind === "list"
        ? yield* mergeInPhases(schema.items, liveItems.get(element), applied[at], pace)
        : applied[at],
    );
  }
  for (; cursor < live.length; cursor++) {
    if (!isApplied.has(liveElements[cursor] ?? "")) result.push(live[cursor]);
  }
  return result;
}
