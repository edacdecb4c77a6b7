import { goValue, PatchError, requestBudget } from "@keelson/apimachinery";
import { isPlainObject, type WorkBudget } from "@keelson/base";
import {
  type FieldSchema,
  type GroupVersionKind,
  type MergeRule,
  type TypeSchema,
  typeOf,
} from "@keelson/kinds";
import { type DeclaredMergeRules, declaredMergeSchema } from "./declared-merge-schema.ts";
import { mergedOrder, positions } from "./element-order.ts";

type JsonMap = Readonly<Record<string, unknown>>;

const deleteFromList = "$deleteFromPrimitiveList/";
const setElementOrder = "$setElementOrder/";

/**
 * Applies a strategic merge patch and returns the result. `object` is not changed. Lists with a merge key are merged by item.
 * Directives (`$patch`, `$retainKeys`, `$deleteFromPrimitiveList/f`, `$setElementOrder/f`) control the merge. Results equal
 * kube-apiserver's, including the order of list items. `declared` contains the rules of a kind that is not built in.
 * @throws PatchError 415 for a custom resource, 400 for a malformed patch, 500 for an unknown directive or a list item without
 * its merge key
 * @see kubernetes/apimachinery pkg/util/strategicpatch/patch.go
 */
export function applyStrategicMergePatch(
  kind: GroupVersionKind,
  object: JsonMap,
  patch: unknown,
  budget: WorkBudget = requestBudget(),
  declared?: DeclaredMergeRules,
): Record<string, unknown> {
  const schema = typeOf(kind) ?? (declared && declaredMergeSchema(declared));
  if (!schema) {
    throw new PatchError(
      415,
      "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
    );
  }
  if (!isPlainObject(patch)) throw new PatchError(400, "a strategic merge patch must be a JSON object");
  return mergeObject(schema, object, patch, "", budget);
}

function mergeObject(
  schema: TypeSchema | undefined,
  original: JsonMap,
  patch: JsonMap,
  path: string,
  budget: WorkBudget,
): Record<string, unknown> {
  budget.spend(1 + Object.keys(original).length + Object.keys(patch).length);
  switch (patch.$patch) {
    case undefined:
    case "merge":
      break;
    case "replace":
      return mergeObject(schema, {}, without(patch, "$patch"), path, budget);
    case "delete":
      return {};
    default:
      throw new PatchError(500, `unknown patch type: ${goValue(patch.$patch)} in map: ${goValue(patch)}`);
  }
  const result = new Map(Object.entries(retained(original, patch, path)));
  for (const field of listFields(patch)) {
    const list = mergeListField(
      fieldOf(schema, field),
      field,
      result.get(field),
      patch,
      inside(path, field),
      budget,
    );
    if (list !== undefined) result.set(field, list);
  }
  for (const [field, value] of Object.entries(patch)) {
    if (isDirective(field) || Array.isArray(value)) continue;
    if (value === null) result.delete(field);
    else if (!isPlainObject(value)) result.set(field, value);
    else {
      const inner = fieldOf(schema, field);
      const present = result.get(field);
      const base = isPlainObject(present) && !inner?.mergeRule?.replace ? present : {};
      result.set(field, mergeObject(inner?.schema, base, value, inside(path, field), budget));
    }
  }
  return Object.fromEntries(result);
}

/** True for a directive. A field name may also start with a dollar sign, for example `$ref` in JSONSchemaProps. */
function isDirective(member: string): boolean {
  return (
    member === "$patch" ||
    member === "$retainKeys" ||
    member.startsWith(deleteFromList) ||
    member.startsWith(setElementOrder)
  );
}

/** Returns the fields for which the patch contains a list or a list directive. */
function listFields(patch: JsonMap): ReadonlySet<string> {
  const fields = new Set<string>();
  for (const [member, value] of Object.entries(patch)) {
    if (member.startsWith(deleteFromList)) fields.add(member.slice(deleteFromList.length));
    else if (member.startsWith(setElementOrder)) fields.add(member.slice(setElementOrder.length));
    else if (Array.isArray(value) && !isDirective(member)) fields.add(member);
  }
  return fields;
}

function mergeListField(
  field: FieldSchema | undefined,
  name: string,
  present: unknown,
  patch: JsonMap,
  path: string,
  budget: WorkBudget,
): readonly unknown[] | undefined {
  const value = patch[name];
  const order = patch[setElementOrder + name];
  const removed = patch[deleteFromList + name];
  if ((order !== undefined && !Array.isArray(order)) || (removed !== undefined && !Array.isArray(removed))) {
    throw new PatchError(400, `${path}: $setElementOrder and $deleteFromPrimitiveList must be lists`);
  }
  if (value !== undefined && !Array.isArray(value)) return undefined;
  const rule = field?.mergeRule;
  const itemSchema = field?.schema.type === "list" ? field.schema.items : undefined;
  if (!rule?.merge) return value?.map((item) => withoutDirectives(itemSchema, item, path, budget));

  const server = Array.isArray(present) ? present : [];
  const gone = new Set(removed);
  const kept = removed ? server.filter((item) => !gone.has(item)) : server;
  if (present === undefined && value === undefined) return undefined;
  const merged = value ? mergeList(itemSchema, rule, kept, value, path, budget) : kept;
  return order ? mergedOrder(merged, order, server, identityOf(rule)) : merged;
}

function mergeList(
  itemSchema: TypeSchema | undefined,
  rule: MergeRule,
  server: readonly unknown[],
  patch: readonly unknown[],
  path: string,
  budget: WorkBudget,
): readonly unknown[] {
  budget.spend(server.length + patch.length);
  const { mergeKey } = rule;
  if (mergeKey === undefined) {
    return mergedOrder([...new Set([...server, ...patch])], patch, server, identityOf(rule));
  }
  const items = patch.map((item) => requireItem(item, mergeKey, path));
  const plain = items.filter((item) => item.$patch !== "delete" && !isReplaceMarker(item, mergeKey));
  if (items.some((item) => isReplaceMarker(item, mergeKey))) {
    return plain.map((item) => withoutDirectives(itemSchema, item, path, budget));
  }
  const deleted = new Set(items.filter((item) => item.$patch === "delete").map((item) => item[mergeKey]));
  const merged: unknown[] = server.filter((item) => !deleted.has(keyOf(item, mergeKey)));
  const places = positions(merged.map((each) => keyOf(each, mergeKey)));
  for (const item of plain) {
    const at = places.get(item[mergeKey]);
    const present = at === undefined ? undefined : merged[at];
    const next = mergeObject(
      itemSchema,
      isPlainObject(present) ? present : {},
      item,
      `${path}[${item[mergeKey]}]`,
      budget,
    );
    if (at === undefined) places.set(item[mergeKey], merged.push(next) - 1);
    else merged[at] = next;
  }
  return mergedOrder(merged, plain, server, identityOf(rule));
}

/** True for an item `{ $patch: replace }` without a merge key. The patch's other items then replace the complete list. */
function isReplaceMarker(item: JsonMap, mergeKey: string): boolean {
  return item.$patch === "replace" && item[mergeKey] === undefined;
}

function requireItem(item: unknown, mergeKey: string, path: string): JsonMap {
  if (!isPlainObject(item)) throw new PatchError(400, `${path}: every item of the patch must be an object`);
  if (item[mergeKey] === undefined && !isReplaceMarker(item, mergeKey)) {
    throw new PatchError(500, `map: ${goValue(item)} does not contain declared merge key: ${mergeKey}`);
  }
  return item;
}

function identityOf(rule: MergeRule): (item: unknown) => unknown {
  const { mergeKey } = rule;
  return mergeKey === undefined ? (item) => item : (item) => keyOf(item, mergeKey);
}

function keyOf(item: unknown, mergeKey: string): unknown {
  return isPlainObject(item) ? item[mergeKey] : undefined;
}

/** Removes properties that `$retainKeys` does not list. The object is a union, so only one variant may remain. */
function retained(original: JsonMap, patch: JsonMap, path: string): JsonMap {
  const keep = patch.$retainKeys;
  if (keep === undefined) return original;
  if (!Array.isArray(keep)) throw new PatchError(400, `${path}: $retainKeys must be a list of field names`);
  const kept = new Set(keep);
  const stray = Object.keys(patch).find(
    (member) => !isDirective(member) && patch[member] !== null && !kept.has(member),
  );
  if (stray !== undefined) {
    throw new PatchError(400, `${path}: the patch sets ${stray}, which its $retainKeys does not name`);
  }
  return Object.fromEntries(Object.entries(original).filter(([member]) => kept.has(member)));
}

/** Removes nulls and directives from a value that replaces the original. The result equals a merge into an empty value. */
function withoutDirectives(
  schema: TypeSchema | undefined,
  value: unknown,
  path: string,
  budget: WorkBudget,
): unknown {
  return isPlainObject(value) ? mergeObject(schema, {}, without(value, "$patch"), path, budget) : value;
}

function fieldOf(schema: TypeSchema | undefined, name: string): FieldSchema | undefined {
  if (schema?.type === "object") return schema.fields.get(name);
  if (schema?.type === "map") return { schema: schema.values, required: false };
  return undefined;
}

function without(object: JsonMap, member: string): JsonMap {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== member));
}

function inside(path: string, field: string): string {
  return path === "" ? field : `${path}.${field}`;
}
