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

/** Updaters beyond these lose their names: the oldest are folded into one. As in kube-apiserver. */
const maxUpdaters = 10;
const ancient = "ancient-changes";

/** What a write changes, in the fields of a version; `undefined` when that version is no longer served. */
export type ComparisonAt = (apiVersion: string) => Comparison | undefined;

/** The managers after an update: who changes a field takes it from all others. */
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

/** The managers with `writer` as the owner of `fields`, beside what it had. */
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

/** The managers without the fields that were changed or removed; those who have nothing left go. */
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

/** Folds the oldest updaters of a version into one, until there are few enough. */
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

/** All the fields, at the time of the last. */
function* foldedEntry(entries: readonly ManagedFieldsEntry[]): Phases<readonly ManagedFieldsEntry[]> {
  const fieldsV1 = yield* unionOfInPhases(entries.map((each) => each.fieldsV1));
  return entries.slice(-1).map(({ subresource: _, ...last }) => ({ ...last, manager: ancient, fieldsV1 }));
}
