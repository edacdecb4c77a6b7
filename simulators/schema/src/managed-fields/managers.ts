import {
  differenceInPhases,
  entryOf,
  type FieldSet,
  identityOf,
  inOrder,
  intersectionInPhases,
  isEmpty,
  type ManagedFieldsEntry,
  type Phases,
  unionInPhases,
  unionOfInPhases,
  type Writer,
} from "@keelson/apimachinery";
import type { Comparison } from "./compare.ts";

/**
 * Maximum number of entries with the operation Update. If there are more, the oldest entries of each version are merged into one
 * entry until the number is within the maximum, as in kube-apiserver.
 */
const maxUpdaters = 10;
const ancient = "ancient-changes";

/** Returns the changes of a write, with field names in the given version. Undefined if the version is no longer served. */
export type ComparisonAt = (apiVersion: string) => Comparison | undefined;

/** Returns the managed fields after an update. The updater becomes the only owner of changed fields. */
export function* afterUpdate(
  managers: readonly ManagedFieldsEntry[],
  comparisonAt: ComparisonAt,
  writer: Writer,
): Phases<readonly ManagedFieldsEntry[]> {
  const changes = comparisonAt(writer.apiVersion);
  const others = yield* withoutChanges(managers, comparisonAt);
  if (!changes) return others;
  return yield* withUpdater(others, writer, changes.changed);
}

/** Returns the managed fields after adding `fields` to the entry of `writer`. */
export function* withUpdater(
  managers: readonly ManagedFieldsEntry[],
  writer: Writer,
  fields: FieldSet,
): Phases<readonly ManagedFieldsEntry[]> {
  if (isEmpty(fields)) return managers;
  const entry = entryOf(writer, "Update", fields);
  const identity = identityOf(entry);
  const previous = managers.find((each) => identityOf(each) === identity);
  const next = previous ? { ...entry, fieldsV1: yield* unionInPhases(fields, previous.fieldsV1) } : entry;
  return yield* capped(inOrder([...managers.filter((each) => each !== previous), next], next));
}

/**
 * Returns the managed fields without changed and removed fields. Removes entries without remaining fields, and entries of
 * versions that are no longer served.
 */
export function* withoutChanges(
  managers: readonly ManagedFieldsEntry[],
  comparisonAt: ComparisonAt,
): Phases<readonly ManagedFieldsEntry[]> {
  const left: ManagedFieldsEntry[] = [];
  for (const entry of managers) {
    const changes = comparisonAt(entry.apiVersion);
    if (!changes) continue;
    const { changed, removed } = changes;
    const conflicts = yield* intersectionInPhases(entry.fieldsV1, changed);
    const lost = yield* unionInPhases(conflicts, yield* intersectionInPhases(entry.fieldsV1, removed));
    const fieldsV1 = isEmpty(lost) ? entry.fieldsV1 : yield* differenceInPhases(entry.fieldsV1, lost);
    if (isEmpty(lost)) left.push(entry);
    else if (!isEmpty(fieldsV1)) left.push({ ...entry, fieldsV1 });
  }
  return left;
}

/** Merges the oldest updaters of each version into one entry, until the number of updaters is within the limit. */
function* capped(managers: readonly ManagedFieldsEntry[]): Phases<readonly ManagedFieldsEntry[]> {
  const updaters = managers.filter(({ operation }) => operation === "Update");
  if (updaters.length <= maxUpdaters) return managers;
  const folded = new Map<string, ManagedFieldsEntry[]>();
  let left = updaters.length;
  for (const entry of updaters) {
    if (left <= maxUpdaters) break;
    const bucket = folded.get(entry.apiVersion) ?? [];
    if (bucket.push(entry) > 1) left--;
    folded.set(entry.apiVersion, bucket);
  }
  const buckets = [...folded.values()].filter((entries) => entries.length > 1);
  const gone = new Set(buckets.flat());
  const ancients: ManagedFieldsEntry[] = [];
  for (const bucket of buckets) ancients.push(...(yield* foldedEntry(bucket)));
  return inOrder([...managers.filter((each) => !gone.has(each)), ...ancients]);
}

/** Merges several entries. The result has the union of their fields and the time of the last entry. */
function* foldedEntry(entries: readonly ManagedFieldsEntry[]): Phases<readonly ManagedFieldsEntry[]> {
  const fieldsV1 = yield* unionOfInPhases(entries.map((each) => each.fieldsV1));
  return entries.slice(-1).map(({ subresource: _, ...last }) => ({ ...last, manager: ancient, fieldsV1 }));
}
