import { readFileSync } from "node:fs";
import { builtinKinds } from "../builtin/builtin-kinds.ts";
import { type GroupVersionKind, type ObjectSchema, packageOf, parseTypes } from "../catalogue/type-schema.ts";
import { factLines } from "./known-facts.ts";
import { mergeRules } from "./merge-rules.ts";

/** Returns the schema of a built-in kind. Returns undefined for other kinds, such as custom resources and lists. */
export function typeOf(kind: GroupVersionKind): ObjectSchema | undefined {
  const name = typeNameOf(kind);
  return name === undefined ? undefined : allTypes().get(name);
}

/** Returns the type name of a built-in kind, such as `core.v1.Pod` or `rbac.v1.Role`. */
export function typeNameOf({ group, version, kind }: GroupVersionKind): string | undefined {
  return builtinGroups.has(group) ? `${packageOf(group)}.${version}.${kind}` : undefined;
}

const builtinGroups = new Set(builtinKinds.map(({ group }) => group));

const models = new URL("./models.generated.txt", import.meta.url);
let types: ReadonlyMap<string, ObjectSchema> | undefined;

/** Returns all object types by name, including nested types. */
export function allTypes(): ReadonlyMap<string, ObjectSchema> {
  types ??= parseTypes(factLines("fields", readFileSync(models, "utf8")), mergeRules);
  return types;
}
