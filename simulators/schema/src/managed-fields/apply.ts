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
  sameJson,
  sameSet,
  unionOfInPhases,
  type Writer,
} from "@keelson/apimachinery";
import { objectAt } from "@keelson/base";
import { type Comparison, compareInPhases } from "./compare.ts";
import { type Conflict, conflictError } from "./conflict.ts";
import type { FieldSchema } from "./field-schema.ts";
import { namedFields, newFields } from "./fields-of.ts";
import { allowedByLastApplied, kubectl, withLastApplied } from "./last-applied.ts";
import { type ComparisonAt, withoutChanges, withUpdater } from "./managers.ts";
import { mergeInPhases } from "./merge.ts";
import { removeFields, withNamedFields } from "./remove.ts";

export interface ApplyRequest {
  /** Stored object. Undefined if the object does not exist. */
  readonly live: KubeObject | undefined;
  /** Applied configuration. It contains only fields that this subresource may change. */
  readonly applied: KubeObject;
  readonly managers: readonly ManagedFieldsEntry[];
  readonly writer: Writer;
  /** True to take ownership of conflicting fields. If false, an apply with conflicting fields fails. */
  readonly force: boolean;
  /** Returns the view of objects in a version. Undefined if the version is not served. */
  readonly viewIn: (apiVersion: string) => VersionView | undefined;
  readonly schema: FieldSchema;
}

/** View of objects in one version. Field names may differ between versions. */
export interface VersionView {
  readonly schema: FieldSchema;
  readonly show: (object: KubeObject) => KubeObject;
}

export interface Applied {
  /** Merged object. Defaults are not set, and the object is not validated yet. */
  readonly object: KubeObject;
  readonly managers: readonly ManagedFieldsEntry[];
}

const beforeFirstApply = "before-first-apply";

/**
 * Server-side apply: merges the configuration into the live object. Removes the fields that the applier no longer applies, unless
 * other managers own them. The applier then owns exactly the applied fields.
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
  // If the applier's field set is unchanged, no fields are removed.
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
 * Removes the fields that the applier no longer applies, except the fields that `owners` own. First removes the fields in the API
 * version of the applier's previous entry. Then restores the removed fields that an owner owns, in the API version of each owner.
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
    ...objectAt(value),
    apiVersion,
    kind,
    metadata: { ...objectAt(value, "metadata"), name: metadata.name },
  };
}

/**
 * Adds an entry that owns all fields to an object without managed fields. Without this entry, an apply would never conflict with
 * these fields.
 */
function* tracked(
  { managers, writer, schema }: ApplyRequest,
  live: KubeObject,
): Phases<readonly ManagedFieldsEntry[]> {
  if (managers.length > 0) return managers;
  return yield* withUpdater([], { ...writer, manager: beforeFirstApply }, yield* newFields(schema, live));
}

/**
 * Compares two objects in each version that the managers or the writer use. Returns a function that returns the comparison for a
 * version.
 */
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

/** True if kubectl's client-side apply has set all conflicting fields and their values are unchanged since then. */
function* isAllowed({ live, schema, writer }: ApplyRequest, conflicts: readonly Conflict[]): Phases<boolean> {
  if (writer.manager !== kubectl || !live) return false;
  const conflicting = yield* unionOfInPhases(conflicts.map(({ fields }) => fields));
  return isEmpty(yield* differenceInPhases(conflicting, yield* allowedByLastApplied(schema, live)));
}
