import {
  atOnce,
  differenceInPhases,
  entryOf,
  type FieldSet,
  identityOf,
  inOrder,
  intersectionInPhases,
  isEmpty,
  type KubeObject,
  type ManagedFieldsEntry,
  type Phases,
  recordAt,
  sameJson,
  sameSet,
  unionOfInPhases,
  type Writer,
} from "@keelson/apimachinery";
import { type Comparison, compareInPhases } from "./compare.ts";
import { type Conflict, conflictError } from "./conflict.ts";
import type { FieldSchema } from "./field-schema.ts";
import { namedFields, newFields } from "./fields-of.ts";
import { allowedByLastApplied, kubectl, withLastApplied } from "./last-applied.ts";
import { type ComparisonAt, withoutChanges, withUpdater } from "./managers.ts";
import { mergeInPhases } from "./merge.ts";
import { removeFields, withNamedFields } from "./remove.ts";

export interface ApplyRequest {
  /** Live object. Undefined if it does not exist. */
  readonly live: KubeObject | undefined;
  /** Applied configuration: the part that this subresource may change. */
  readonly applied: KubeObject;
  readonly managers: readonly ManagedFieldsEntry[];
  readonly writer: Writer;
  /** Take ownership of fields in conflict instead of failing. */
  readonly force: boolean;
  /** View of objects in a version. Undefined if the version is not served. */
  readonly viewIn: (apiVersion: string) => VersionView | undefined;
  readonly schema: FieldSchema;
}

/** Objects in a version, in which fields may have different names. */
export interface VersionView {
  readonly schema: FieldSchema;
  readonly show: (object: KubeObject) => KubeObject;
}

export interface Applied {
  /** Merged object, not yet defaulted and validated. */
  readonly object: KubeObject;
  readonly managers: readonly ManagedFieldsEntry[];
}

const beforeFirstApply = "before-first-apply";

/**
 * Server-side apply. Merges the configuration into the live object. Fields that the applier no longer applies
 * are removed, unless other managers own them. Afterwards the applier owns exactly the applied fields.
 * @throws StatusError 409 if a changed field has a different owner, unless `force`
 * @see kubernetes-sigs/structured-merge-diff merge/update.go
 */
export function* applyInPhases(request: ApplyRequest): Phases<Applied> {
  const { live, applied, writer, schema } = request;
  const set = yield* namedFields(schema, applied);
  const entry = entryOf(writer, "Apply", set);
  if (!live) return { object: applied, managers: isEmpty(set) ? [] : [entry] };
  const managers = yield* tracked(request, live);
  const identity = identityOf(entry);
  const previous = managers.find((each) => identityOf(each) === identity);
  const others = managers.filter((each) => each !== previous);

  yield;
  const laid = objectOf(yield* mergeInPhases(schema, live, applied), applied);
  yield;
  const unchanged =
    previous !== undefined && sameSet(previous.fieldsV1, set) && previous.apiVersion === writer.apiVersion;
  // An applier with an unchanged field set does not remove fields.
  const object =
    previous && !unchanged ? yield* withoutLost(request, laid, previous, [...others, entry]) : laid;
  yield;
  const comparisonAt = yield* comparisons(live, object, { ...request, managers: others });
  yield;
  const conflicts = yield* conflictsOf(others, comparisonAt);
  if (conflicts.length > 0 && !request.force && !(yield* isAllowed(request, conflicts))) {
    throw conflictError(conflicts);
  }
  yield;
  const yielding = yield* withoutChanges(others, comparisonAt);
  const own = unchanged && sameJson(live, object) ? previous : entry;
  const managersAfter = (): readonly ManagedFieldsEntry[] => {
    if (isEmpty(set)) return inOrder(yielding);
    return own === entry ? inOrder([...yielding, entry], entry) : managers;
  };
  return { object: withLastApplied(object, live, applied, writer.manager), managers: managersAfter() };
}

export function applyObject(request: ApplyRequest): Applied {
  return atOnce(applyInPhases(request));
}

/**
 * Removes the fields that the applier no longer applies, except those of `owners`. Ownership is evaluated per
 * version: first in the applier's version. Then fields with owners in other versions are restored.
 */
function* withoutLost(
  { viewIn, writer }: ApplyRequest,
  object: KubeObject,
  previous: ManagedFieldsEntry,
  owners: readonly ManagedFieldsEntry[],
): Phases<KubeObject> {
  const versions = new Set([previous.apiVersion, ...owners.map(({ apiVersion }) => apiVersion)]);
  let left: KubeObject | undefined;
  for (const version of versions) {
    const view = viewIn(version);
    if (!view) continue;
    const whole = view.show(object);
    const lost: FieldSet = left
      ? (yield* compareInPhases(view.schema, whole, view.show(left))).removed
      : yield* withNamedFields(view.schema, previous.fieldsV1);
    const kept = owners.filter((each) => each.apiVersion === version).map((each) => each.fieldsV1);
    const owned = yield* unionOfInPhases(kept);
    left = objectOf(yield* removeFields(view.schema, whole, lost, owned), whole);
  }
  return left && left.apiVersion !== writer.apiVersion
    ? (viewIn(writer.apiVersion)?.show(left) ?? left)
    : (left ?? object);
}

function objectOf(value: unknown, { apiVersion, kind, metadata }: KubeObject): KubeObject {
  return {
    ...recordAt(value),
    apiVersion,
    kind,
    metadata: { ...recordAt(value, "metadata"), name: metadata.name },
  };
}

/**
 * Adds a manager for all fields of an object without managed fields. Otherwise its fields could never be in
 * conflict.
 */
function* tracked(
  { managers, writer, schema }: ApplyRequest,
  live: KubeObject,
): Phases<readonly ManagedFieldsEntry[]> {
  if (managers.length > 0) return managers;
  return yield* withUpdater([], { ...writer, manager: beforeFirstApply }, yield* newFields(schema, live));
}

/** Compares two objects in each version that the managers or the writer use. */
export function* comparisons(
  before: KubeObject,
  after: KubeObject,
  { schema, managers, writer, viewIn }: Pick<ApplyRequest, "schema" | "managers" | "writer" | "viewIn">,
): Phases<ComparisonAt> {
  const found = new Map<string, Comparison>();
  found.set(writer.apiVersion, yield* compareInPhases(schema, before, after));
  for (const { apiVersion } of managers) {
    const view = found.has(apiVersion) ? undefined : viewIn(apiVersion);
    if (!view) continue;
    found.set(apiVersion, yield* compareInPhases(view.schema, view.show(before), view.show(after)));
  }
  return (apiVersion) => found.get(apiVersion);
}

function* conflictsOf(
  others: readonly ManagedFieldsEntry[],
  comparisonAt: ComparisonAt,
): Phases<readonly Conflict[]> {
  const conflicts: Conflict[] = [];
  for (const entry of others) {
    const changes = comparisonAt(entry.apiVersion);
    if (!changes) continue;
    const fields = yield* intersectionInPhases(entry.fieldsV1, changes.changed);
    if (!isEmpty(fields)) conflicts.push({ entry, fields });
  }
  return conflicts;
}

/**
 * True if all conflicts are about fields that kubectl's client-side apply set and that are unchanged since.
 */
function* isAllowed({ live, schema, writer }: ApplyRequest, conflicts: readonly Conflict[]): Phases<boolean> {
  if (writer.manager !== kubectl || !live) return false;
  const conflicting = yield* unionOfInPhases(conflicts.map(({ fields }) => fields));
  return isEmpty(yield* differenceInPhases(conflicting, yield* allowedByLastApplied(schema, live)));
}
