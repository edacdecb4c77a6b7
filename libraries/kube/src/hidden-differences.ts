import { isDeepStrictEqual } from "node:util";
import { isPlainObject } from "@keelson/base";
import type { KubeApi } from "./kube-api.ts";
import { appliedConfiguration, type ObjectWithAbsent } from "./objects/applied-configuration.ts";
import type { KubeObject } from "./objects/kube-object.ts";
import type { KubeResource } from "./objects/kube-resource.ts";
import { KubeError } from "./responses/kube-error.ts";

type JsonMap = Readonly<Record<string, unknown>>;

/** `differences` compares these, or others report in them. */
const notSpecified = new Set(["apiVersion", "kind", "metadata", "status"]);

/**
 * What `differences` cannot see of an object that has all wanted members: another writer changed a list or map that counts
 * as a whole, as `resourceNames` added to a rule narrows a role. Which those are only the server knows: it is asked for
 * a dry run of applying `wanted`, where there is anything to ask about. Gives the merge patch that undoes the change, with lists as a whole.
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
    // A webhook on its way knows no dry runs.
    if (error instanceof KubeError && error.code === 400) return undefined;
    throw error;
  }
}

/**
 * Whether the values that `wanted` gives hold members that it does not name. They are defaults of the server, the own of
 * another writer, or that writer's change of something that counts as a whole. `spec`, `data` and their like never do.
 */
export function hasUnnamedMembers(live: JsonMap, wanted: JsonMap): boolean {
  return specified(wanted).some(([name, value]) => {
    const present = live[name];
    if (!isPlainObject(value) || !isPlainObject(present)) return holdsMore(present, value);
    return Object.entries(value).some(([member, inner]) => holdsMore(present[member], inner));
  });
}

/** The merge patch for where `live` is not as `applied`, at and below the values that `wanted` gives. */
export function unnamedDifferences(
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

/** The members of `wanted` that others might have changed without its notice. */
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

/** `undefined` where `live` is as the server made it. */
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

/** A wanted null asks for absence. */
function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
