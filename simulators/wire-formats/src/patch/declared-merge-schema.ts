import { type FieldSchema, type MergeRule, type ObjectSchema, type TypeSchema, typeOf } from "@keelson/kinds";

/** Rules of strategic merge patches for a kind that is not built in. Lists and objects without a rule have the default behaviour. */
export interface DeclaredMergeRules {
  /** Merge keys of lists by path, for example `{"spec.tags": "name"}`. An empty key means a set of scalars. */
  readonly keys?: Readonly<Record<string, string>>;
  /** Paths of pod templates, for example `spec.template`. */
  readonly podTemplates?: readonly string[];
}

interface Fields extends Map<string, FieldSchema> {}

const anyValue: TypeSchema = { type: "any" };

/** Returns a schema with the declared rules and the rules of `metadata`. */
export function declaredMergeSchema({ keys = {}, podTemplates = [] }: DeclaredMergeRules): ObjectSchema {
  const root: Fields = new Map();
  const metadata = fieldAt(typeOf({ group: "", version: "v1", kind: "ConfigMap" }), "metadata");
  if (metadata) root.set("metadata", metadata);
  const template = fieldAt(
    fieldAt(typeOf({ group: "apps", version: "v1", kind: "Deployment" }), "spec")?.schema,
    "template",
  );
  for (const path of podTemplates) if (template) set(root, path.split("."), template);
  for (const [path, key] of Object.entries(keys)) {
    const rule: MergeRule = {
      ...(key === "" ? {} : { mergeKey: key }),
      merge: true,
      retainKeys: false,
      replace: false,
    };
    const schema: TypeSchema = { type: "list", items: anyValue };
    set(root, path.split("."), { schema, required: false, mergeRule: rule });
  }
  return { type: "object", name: "", fields: root };
}

function fieldAt(schema: TypeSchema | undefined, name: string): FieldSchema | undefined {
  return schema?.type === "object" ? schema.fields.get(name) : undefined;
}

function set(fields: Fields, [name = "", ...rest]: readonly string[], field: FieldSchema): void {
  if (rest.length === 0) {
    fields.set(name, field);
    return;
  }
  const present = fieldAt({ type: "object", name: "", fields }, name);
  const inner: Fields = new Map(present?.schema.type === "object" ? present.schema.fields : []);
  set(inner, rest, field);
  fields.set(name, { schema: { type: "object", name: "", fields: inner }, required: false });
}
