import { builtinKinds } from "../builtin/builtin-kinds.ts";
import { type GroupVersionKind, type ObjectSchema, packageOf, parseTypes } from "../catalogue/type-schema.ts";
import { factLines } from "./known-facts.ts";
import { mergeRules } from "./merge-rules.ts";
import { modelLines } from "./models.generated.ts";

/** The schema of a built-in kind; `undefined` for kinds this catalogue does not hold (custom resources, lists). */
export function typeOf(kind: GroupVersionKind): ObjectSchema | undefined {
  const name = typeNameOf(kind);
  return name === undefined ? undefined : allTypes().get(name);
}

/** The name a kind of a built-in group has among the types: `core.v1.Pod`, `rbac.v1.Role`. */
export function typeNameOf({ group, version, kind }: GroupVersionKind): string | undefined {
  return builtinGroups.has(group) ? `${packageOf(group)}.${version}.${kind}` : undefined;
}

const builtinGroups = new Set(builtinKinds.map(({ group }) => group));

let types: ReadonlyMap<string, ObjectSchema> | undefined;

/** Every object type by name, roots and nested alike. */
export function allTypes(): ReadonlyMap<string, ObjectSchema> {
  types ??= parseTypes(factLines("fields", modelLines), mergeRules);
  return types;
}
