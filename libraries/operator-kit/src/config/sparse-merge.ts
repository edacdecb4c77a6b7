import { isPlainObject, objectAt } from "@keelson/base";

/** Partial configuration. */
export type SparseConfig = Readonly<Record<string, unknown>>;

/**
 * Merges two values of one field. `before` is undefined if no earlier layer has the field.
 * @throws Error for values that cannot be merged
 */
export type MergeMember = (before: unknown, layer: unknown) => unknown;

export interface SpecialMerge {
  readonly path: readonly string[];
  readonly merge: MergeMember;
}

/**
 * Merges configurations. Later layers take precedence. Objects are merged field by field. All other values, including lists and
 * nulls, replace the earlier value. A function in `special` merges the values at its path.
 * @throws Error if two layers have different values of `apiVersion` or `kind`, or if a function in `special` rejects a value
 */
export function mergeConfigs(
  layers: readonly SparseConfig[],
  special: readonly SpecialMerge[] = [],
): SparseConfig {
  let merged: SparseConfig = {};
  for (const layer of layers) {
    requireSameType(merged, layer);
    merged = mergeObjects(merged, layer, special);
  }
  return merged;
}

/** Returns the sorted union of two string lists. Entries that a later layer lacks are kept. A null layer adds nothing. */
export const unionOfTexts: MergeMember = (before, layer) => {
  if (layer === null) return before ?? null;
  const union = new Set([...textsOf(before ?? []), ...textsOf(layer)]);
  return [...union].sort();
};

function requireSameType(merged: SparseConfig, layer: SparseConfig): void {
  const typeOf = ({ apiVersion, kind }: SparseConfig) => ({ apiVersion, kind });
  const before = typeOf(merged);
  const after = typeOf(layer);
  const differs = (["apiVersion", "kind"] as const).some(
    (member) => isSet(before[member]) && isSet(after[member]) && before[member] !== after[member],
  );
  if (differs)
    throw new Error(
      `${textOf(after)} does not equal ${textOf(before)}: layers are of one apiVersion and kind`,
    );
}

function isSet(member: unknown): boolean {
  return member !== undefined && member !== null && member !== "";
}

function textOf({ apiVersion, kind }: { readonly apiVersion: unknown; readonly kind: unknown }): string {
  return `${apiVersion ?? ""}/${kind ?? ""}`;
}

function mergeObjects(
  before: SparseConfig,
  layer: SparseConfig,
  special: readonly SpecialMerge[],
): SparseConfig {
  const merged = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(layer)) {
    if (value === undefined) continue;
    const below = special.flatMap(({ path: [first, ...rest], merge }) =>
      first === name ? [{ path: rest, merge }] : [],
    );
    const present = merged.get(name);
    const exact = below.find(({ path }) => path.length === 0);
    if (exact) merged.set(name, exact.merge(present, value));
    else if (isPlainObject(value)) merged.set(name, mergeObjects(objectAt(present), value, below));
    else merged.set(name, structuredClone(value));
  }
  return Object.fromEntries(merged);
}

function textsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw new Error(`expected a list of strings, found ${describe(value)}`);
  return value.map((item: unknown) => {
    if (typeof item !== "string")
      throw new Error(`expected a list of strings, found ${describe(item)} in it`);
    return item;
  });
}

function describe(value: unknown): string {
  return value === null ? "null" : typeof value;
}
