import type { Comparison } from "./compare.ts";
import { entryOf, identityOf, inOrder, type ManagedFieldsEntry, type Writer } from "./entry.ts";
import { difference, type FieldSet, intersection, isEmpty, union, unionOf } from "./field-set.ts";

/** Updaters beyond these lose their names: the oldest are folded into one. As in kube-apiserver. */
const maxUpdaters = 10;
const ancient = "ancient-changes";

/** What a write changes, in the fields of a version; `undefined` when that version is no longer served. */
export type ComparisonAt = (apiVersion: string) => Comparison | undefined;

/** The managers after an update: whoever changes a field takes it from all others. */
export function afterUpdate(
  managers: readonly ManagedFieldsEntry[],
  comparisonAt: ComparisonAt,
  writer: Writer,
): readonly ManagedFieldsEntry[] {
  const changes = comparisonAt(writer.apiVersion);
  const others = withoutChanges(managers, comparisonAt);
  if (!changes) return others;
  return withUpdater(others, writer, changes.changed);
}

/** The managers with `writer` as the owner of `fields`, beside what it had. */
export function withUpdater(
  managers: readonly ManagedFieldsEntry[],
  writer: Writer,
  fields: FieldSet,
): readonly ManagedFieldsEntry[] {
  if (isEmpty(fields)) return managers;
  const entry = entryOf(writer, "Update", fields);
  const identity = identityOf(entry);
  const previous = managers.find((each) => identityOf(each) === identity);
  const next = previous ? { ...entry, fieldsV1: union(fields, previous.fieldsV1) } : entry;
  return capped(inOrder([...managers.filter((each) => each !== previous), next]));
}

/** The managers without the fields that were changed or removed; those who have nothing left go. */
export function withoutChanges(
  managers: readonly ManagedFieldsEntry[],
  comparisonAt: ComparisonAt,
): readonly ManagedFieldsEntry[] {
  return managers.flatMap((entry) => {
    const changes = comparisonAt(entry.apiVersion);
    if (!changes) return [];
    const { changed, removed } = changes;
    const conflicts = intersection(entry.fieldsV1, changed);
    const lost = union(conflicts, intersection(entry.fieldsV1, removed));
    if (isEmpty(lost)) return [entry];
    const fieldsV1 = difference(entry.fieldsV1, lost);
    return isEmpty(fieldsV1) ? [] : [{ ...entry, fieldsV1 }];
  });
}

/** Folds the oldest updaters of a version into one, until there are few enough. */
function capped(managers: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
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
  return inOrder([...managers.filter((each) => !gone.has(each)), ...buckets.flatMap(foldedEntry)]);
}

/** All the fields, at the time of the last. */
function foldedEntry(entries: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
  return entries.slice(-1).map(({ subresource: _, ...last }) => ({
    ...last,
    manager: ancient,
    fieldsV1: unionOf(entries.map((each) => each.fieldsV1)),
  }));
}
