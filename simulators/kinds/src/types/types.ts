import { builtinKinds } from "../builtin/builtin-kinds.ts";
import { type GroupVersionKind, type ObjectSchema, packageOf, parseTypes } from "../catalogue/type-schema.ts";
import { factLines } from "./known-facts.ts";
import { mergeRules } from "./merge-rules.ts";
import { modelLines } from "./models.generated.ts";

/**
 * Schema of a built-in kind. Undefined for kinds outside the catalogue, such as custom resources and lists.
 */
export function typeOf(kind: GroupVersionKind): ObjectSchema | undefined {
  const name = typeNameOf(kind);
  return name === undefined ? undefined : allTypes().get(name);
}

/** Type name of a kind in a built-in group: `core.v1.Pod`, `rbac.v1.Role`. */
export function typeNameOf({ group, version, kind }: GroupVersionKind): string | undefined {
  return builtinGroups.has(group) ? `${packageOf(group)}.${version}.${kind}` : undefined;
}

const builtinGroups = new Set(builtinKinds.map(({ group }) => group));

let types: ReadonlyMap<string, ObjectSchema> | undefined;

/** Object types by name, including nested ones. */
export function allTypes(): ReadonlyMap<string, ObjectSchema> {
  types ??= parseTypes(factLines("fields", modelLines), mergeRules);
  return types;
}
