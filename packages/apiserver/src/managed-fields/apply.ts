import { recordAt } from "../json/access.ts";
import { sameJson } from "../json/same-json.ts";
import type { KubeObject } from "../kube-object.ts";
import { atOnce, type Phases } from "../threads/phases.ts";
import { type Comparison, compare } from "./compare.ts";
import { type Conflict, conflictError } from "./conflict.ts";
import { entryOf, identityOf, inOrder, type ManagedFieldsEntry, type Writer } from "./entry.ts";
import { difference, intersection, isEmpty, sameSet, unionOf } from "./field-set.ts";
import { namedFields, newFields } from "./fields-of.ts";
import { allowedByLastApplied, kubectl, withLastApplied } from "./last-applied.ts";
import { type ComparisonAt, withoutChanges, withUpdater } from "./managers.ts";
import { merge } from "./merge.ts";
import { removeFields, withNamedFields } from "./remove.ts";
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
  /** How a version sees objects; `undefined` when it is not served. */
  readonly viewIn: (apiVersion: string) => VersionView | undefined;
  readonly shape: Shape;
}

/** Objects in a version: fields may have other names there. */
export interface VersionView {
  readonly shape: Shape;
  readonly show: (object: KubeObject) => KubeObject;
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
export function* applyInPhases(request: ApplyRequest): Phases<Applied> {
  const { live, applied, writer, shape } = request;
  const set = namedFields(shape, applied);
  const entry = entryOf(writer, "Apply", set);
  if (!live) return { object: applied, managers: isEmpty(set) ? [] : [entry] };
  const managers = tracked(request, live);
  const identity = identityOf(entry);
  const previous = managers.find((each) => identityOf(each) === identity);
  const others = managers.filter((each) => each !== previous);

  yield;
  const laid = objectOf(merge(shape, live, applied), applied);
  yield;
  const object = previous ? withoutLost(request, laid, previous, [...others, entry]) : laid;
  yield;
  const comparisonAt = comparisons(live, object, shape, request);
  yield;
  const conflicts = conflictsOf(others, comparisonAt);
  if (conflicts.length > 0 && !request.force && !isAllowed(request, conflicts)) {
    throw conflictError(conflicts);
  }
  yield;
  const yielding = withoutChanges(others, comparisonAt);
  const unchanged = previous && sameSet(previous.fieldsV1, set) && previous.apiVersion === writer.apiVersion;
  const own = unchanged && sameJson(live, object) ? previous : entry;
  return {
    object: withLastApplied(object, live, applied, writer.manager),
    managers: inOrder(isEmpty(set) ? yielding : [...yielding, own]),
  };
}

export function applyObject(request: ApplyRequest): Applied {
  return atOnce(applyInPhases(request));
}

/**
 * The object without what its applier gave up, but with what `owners` have. Each is asked about in the version in
 * which it has its fields: first the applier's own, then what went there and is somebody's elsewhere comes back.
 */
function withoutLost(
  { viewIn, writer }: ApplyRequest,
  object: KubeObject,
  previous: ManagedFieldsEntry,
  owners: readonly ManagedFieldsEntry[],
): KubeObject {
  const versions = new Set([previous.apiVersion, ...owners.map(({ apiVersion }) => apiVersion)]);
  const left = [...versions].reduce<KubeObject | undefined>((pruned, version) => {
    const view = viewIn(version);
    if (!view) return pruned;
    const whole = view.show(object);
    const lost = pruned
      ? compare(view.shape, whole, view.show(pruned)).removed
      : withNamedFields(view.shape, previous.fieldsV1);
    const kept = owners.filter((each) => each.apiVersion === version).map((each) => each.fieldsV1);
    return objectOf(removeFields(view.shape, whole, lost, unionOf(kept)), whole);
  }, undefined);
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

/** An object that nobody tracked gets a manager for what it has: otherwise nothing would ever conflict with it. */
function tracked({ managers, writer, shape }: ApplyRequest, live: KubeObject): readonly ManagedFieldsEntry[] {
  if (managers.length > 0) return managers;
  return withUpdater([], { ...writer, manager: beforeFirstApply }, newFields(shape, live));
}

/** The comparison of two objects in the fields of each version, made once. */
export function comparisons(
  before: KubeObject,
  after: KubeObject,
  shape: Shape,
  { writer, viewIn }: Pick<ApplyRequest, "writer" | "viewIn">,
): ComparisonAt {
  const own = compare(shape, before, after);
  const others = new Map<string, Comparison | undefined>();
  return (apiVersion) => {
    if (apiVersion === writer.apiVersion) return own;
    if (!others.has(apiVersion)) {
      const view = viewIn(apiVersion);
      others.set(apiVersion, view && compare(view.shape, view.show(before), view.show(after)));
    }
    return others.get(apiVersion);
  };
}

function conflictsOf(others: readonly ManagedFieldsEntry[], comparisonAt: ComparisonAt): readonly Conflict[] {
  return others.flatMap((entry) => {
    const changes = comparisonAt(entry.apiVersion);
    if (!changes) return [];
    const fields = intersection(entry.fieldsV1, changes.changed);
    return isEmpty(fields) ? [] : [{ entry, fields }];
  });
}

/** kubectl takes over what it applied itself on the client's side, as far as nobody changed it since. */
function isAllowed({ live, shape, writer }: ApplyRequest, conflicts: readonly Conflict[]): boolean {
  if (writer.manager !== kubectl || !live) return false;
  const conflicting = unionOf(conflicts.map(({ fields }) => fields));
  return isEmpty(difference(conflicting, allowedByLastApplied(shape, live)));
}
