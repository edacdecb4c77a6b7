import { isDeepStrictEqual } from "node:util";
import { isPlainObject } from "@keelson/base";
import type { KubeApi } from "./kube-api.ts";
import { appliedConfiguration, type ObjectWithAbsent } from "./objects/applied-configuration.ts";
import type { KubeObject } from "./objects/kube-object.ts";
import type { KubeResource } from "./objects/kube-resource.ts";
import { KubeError } from "./responses/kube-error.ts";

type JsonMap = Readonly<Record<string, unknown>>;

/**
 * Fields that this comparison skips, because `differences` already compares them or because other writers own them (for example
 * `status`).
 */
const notSpecified = new Set(["apiVersion", "kind", "metadata", "status"]);

/**
 * Finds changes that `differences` cannot detect. If a second writer adds entries to an atomic list or map, the object still has
 * all wanted fields. For example, an added entry in `resourceNames` narrows a role. Only the server knows which fields are
 * atomic. If the object has fields that `wanted` does not name, this function therefore requests a dry-run apply of `wanted`.
 * Returns the merge patch that reverts the change, with complete lists.
 */
export async function hiddenDifferences(
  api: Pick<KubeApi, "dryRunApply">,
  resource: KubeResource,
  { live, wanted }: { readonly live: KubeObject; readonly wanted: ObjectWithAbsent },
  fieldManager: string,
  signal: AbortSignal,
): Promise<Record<string, unknown> | undefined> {
  if (!hasUnnamedMembers(live, wanted)) return undefined;
  const { name, namespace } = wanted.metadata;
  const metadata = namespace === undefined ? { name } : { name, namespace };
  const configuration = appliedConfiguration({ ...wanted, metadata });
  const options = { force: true, fieldManager };
  try {
    const { object } = await api.dryRunApply(resource, configuration, signal, options);
    return unnamedDifferences(live, wanted, object);
  } catch (error) {
    // Status 400 means that an admission webhook does not support dry runs.
    if (error instanceof KubeError && error.code === 400) return undefined;
    throw error;
  }
}

/**
 * True if a value that `wanted` sets has, in `live`, an additional field that `wanted` does not name. This field may be a server
 * default or belong to a different writer. It may also be a different writer's change of an atomic value. Fields directly in
 * `spec`, `data` and similar objects are ignored.
 */
export function hasUnnamedMembers(live: JsonMap, wanted: JsonMap): boolean {
  return specified(wanted).some(([name, value]) => {
    const present = live[name];
    if (!isPlainObject(value) || !isPlainObject(present)) return holdsMore(present, value);
    return Object.entries(value).some(([member, inner]) => holdsMore(present[member], inner));
  });
}

/** Returns the merge patch that changes `live` to `applied`. Only the wanted values and their nested fields are compared. */
function unnamedDifferences(
  live: JsonMap,
  wanted: JsonMap,
  applied: JsonMap,
): Record<string, unknown> | undefined {
  return patchOf(
    specified(wanted).map(([name, value]) => {
      const [present, made] = [live[name], applied[name]];
      if (!isPlainObject(value) || !isPlainObject(present) || !isPlainObject(made))
        return [name, correction(present, value, made)];
      const members = Object.entries(value).filter(([, inner]) => isSet(inner));
      return [
        name,
        patchOf(members.map(([member, inner]) => [member, correction(present[member], inner, made[member])])),
      ];
    }),
  );
}

/** Returns the fields of `wanted` that may have hidden changes. */
function specified(wanted: JsonMap): readonly (readonly [string, unknown])[] {
  return Object.entries(wanted).filter(([name, value]) => !notSpecified.has(name) && isSet(value));
}

function holdsMore(live: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted) && Array.isArray(live))
    return wanted.some((item, index) => holdsMore(live[index], item));
  if (!isPlainObject(wanted) || !isPlainObject(live)) return false;
  return Object.entries(live).some(
    ([member, value]) => !isSet(wanted[member]) || holdsMore(value, wanted[member]),
  );
}

/** Returns the merge patch that corrects one value. Undefined if `live` equals the server's result. */
function correction(live: unknown, wanted: unknown, made: unknown): unknown {
  if (isDeepStrictEqual(live, made)) return undefined;
  if (!isPlainObject(wanted) || !isPlainObject(live) || !isPlainObject(made))
    return Array.isArray(wanted) ? made : undefined;
  const members = new Set([...Object.keys(live), ...Object.keys(made)]);
  return patchOf(
    [...members].map((member) => {
      if (isSet(wanted[member])) return [member, correction(live[member], wanted[member], made[member])];
      const isAsMade = isDeepStrictEqual(live[member], made[member]);
      return [member, isAsMade ? undefined : (made[member] ?? null)];
    }),
  );
}

function patchOf(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> | undefined {
  const set = entries.filter(([, value]) => value !== undefined);
  return set.length === 0 ? undefined : Object.fromEntries(set);
}

/** True for a value other than null. Null in `wanted` means that the field must be absent. */
function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
