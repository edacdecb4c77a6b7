import { recordAt } from "../json/access.ts";
import { sameJson } from "../json/same-json.ts";
import type { KubeObject } from "../kube-object.ts";
import { compare } from "./compare.ts";
import { type Conflict, conflictError } from "./conflict.ts";
import { entryOf, identityOf, inOrder, type ManagedFieldsEntry, type Writer } from "./entry.ts";
import { difference, emptySet, type FieldSet, intersection, isEmpty, sameSet, union } from "./field-set.ts";
import { namedFields, newFields } from "./fields-of.ts";
import { allowedByLastApplied, kubectl, withLastApplied } from "./last-applied.ts";
import { type ComparisonAt, withoutChanges, withUpdater } from "./managers.ts";
import { merge } from "./merge.ts";
import { removeFields } from "./remove.ts";
import type { Shape } from "./shape.ts";

export interface ApplyRequest {
  /** The object as it is, `undefined` if there is none. */
  readonly live: KubeObject | undefined;
  /** What the applier wants to be so: the parts that this door may change. */
  readonly applied: KubeObject;
  readonly managers: readonly ManagedFieldsEntry[];
  readonly writer: Writer;
  /** Take fields from others instead of failing. */
  readonly force: boolean;
  /** The shape in a version; `undefined` when that is not served. */
  readonly shapeAt: (apiVersion: string) => Shape | undefined;
  readonly shape: Shape;
}

export interface Applied {
  /** Not yet completed and validated. */
  readonly object: KubeObject;
  readonly managers: readonly ManagedFieldsEntry[];
}

const beforeFirstApply = "before-first-apply";

/**
 * Server-side apply: what is applied is laid over the live object, what this applier applied before and no longer
 * does goes unless another manager has it, and the applier then owns exactly what it applies.
 * @throws StatusError 409 when another manager owns a field that would change, unless `force`
 * @see kubernetes-sigs/structured-merge-diff merge/update.go
 */
export function applyObject(request: ApplyRequest): Applied {
  const { live, applied, writer, shape, shapeAt } = request;
  const set = namedFields(shape, applied);
  const entry = entryOf(writer, "Apply", set);
  if (!live) return { object: applied, managers: isEmpty(set) ? [] : [entry] };
  const managers = tracked(request, live);
  const identity = identityOf(entry);
  const previous = managers.find((each) => identityOf(each) === identity);
  const others = managers.filter((each) => each !== previous);

  const laid = merge(shape, live, applied);
  const kept = others.map((each) => each.fieldsV1).reduce(union, set);
  const previousShape = previous && shapeAt(previous.apiVersion);
  const left = previousShape ? removeFields(previousShape, laid, previous.fieldsV1, kept) : laid;
  const object = objectOf(left, applied);

  const comparisonAt = comparisons(live, object, shape, request);
  const conflicts = conflictsOf(others, comparisonAt);
  if (conflicts.length > 0 && !request.force && !isAllowed(request, conflicts)) {
    throw conflictError(conflicts);
  }
  const yielding = withoutChanges(others, comparisonAt);
  const unchanged = previous && sameSet(previous.fieldsV1, set) && previous.apiVersion === writer.apiVersion;
  const own = unchanged && sameJson(live, object) ? previous : entry;
  return {
    object: withLastApplied(object, live, applied, writer.manager),
    managers: inOrder(isEmpty(set) ? yielding : [...yielding, own]),
  };
}

function objectOf(value: unknown, { apiVersion, kind, metadata }: KubeObject): KubeObject {
  return {
    ...recordAt(value),
    apiVersion,
    kind,
    metadata: { ...recordAt(value, "metadata"), name: metadata.name },
  };
}

/** An object that nobody tracked gets a manager for what it has: otherwise nothing would ever conflict with it. */
function tracked({ managers, writer, shape }: ApplyRequest, live: KubeObject): readonly ManagedFieldsEntry[] {
  if (managers.length > 0) return managers;
  return withUpdater([], { ...writer, manager: beforeFirstApply }, newFields(shape, live));
}

/** The comparison of two objects in the fields of each version, made once. */
export function comparisons(
  before: unknown,
  after: unknown,
  shape: Shape,
  { writer, shapeAt }: Pick<ApplyRequest, "writer" | "shapeAt">,
): ComparisonAt {
  const own = compare(shape, before, after);
  return (apiVersion) => {
    if (apiVersion === writer.apiVersion) return own;
    const other = shapeAt(apiVersion);
    return other && compare(other, before, after);
  };
}

function conflictsOf(others: readonly ManagedFieldsEntry[], comparisonAt: ComparisonAt): readonly Conflict[] {
  return others.flatMap((entry) => {
    const changes = comparisonAt(entry.apiVersion);
    if (!changes) return [];
    const fields = intersection(entry.fieldsV1, union(changes.modified, changes.added));
    return isEmpty(fields) ? [] : [{ entry, fields }];
  });
}

/** kubectl takes over what it applied itself on the client's side, as far as nobody changed it since. */
function isAllowed({ live, shape, writer }: ApplyRequest, conflicts: readonly Conflict[]): boolean {
  if (writer.manager !== kubectl || !live) return false;
  const conflicting: FieldSet = conflicts.map(({ fields }) => fields).reduce(union, emptySet);
  return isEmpty(difference(conflicting, allowedByLastApplied(shape, live)));
}
