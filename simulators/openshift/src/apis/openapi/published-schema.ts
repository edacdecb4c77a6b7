import { readFileSync } from "node:fs";

export type Schema = Readonly<Record<string, unknown>>;

const scalars: Readonly<Record<string, Schema>> = {
  s: { type: "string" },
  b: { type: "boolean" },
  i: { type: "integer", format: "int32" },
  l: { type: "integer", format: "int64" },
  t: { type: "string", format: "date-time" },
  y: { type: "string", format: "byte" },
  x: { "x-kubernetes-int-or-string": true },
  "*": { "x-kubernetes-preserve-unknown-fields": true },
};
const objectFields = new Set(["apiVersion", "kind", "metadata"]);
/** Nesting depth from which a type accepts any fields. This limit is necessary because some types contain themselves. */
const maxDepth = 12;

const built = new Map<string, Schema | undefined>();
let lines: ReadonlyMap<string, string> | undefined;
let texts: ReadonlyMap<string, string> | undefined;

/**
 * Returns the schema of an aggregated kind for OpenAPI documents, or undefined for other kinds. Objects are not validated against
 * this schema. The kind and its fields have descriptions. Nested fields have only types.
 */
export function publishedSchema(group: string, kind: string): Schema | undefined {
  const name = `${group.replace(/\.openshift\.io$/, "")}.v1.${kind}`;
  if (!built.has(name)) built.set(name, build(name));
  return built.get(name);
}

function build(name: string): Schema | undefined {
  lines ??= linesByName("types.generated.txt");
  texts ??= linesByName("descriptions.txt");
  if (!lines.has(name)) return undefined;
  const [description = "", ...fields] = (texts.get(name) ?? "").split(" | ");
  const described = new Map(fields.map((each) => splitOnce(each)));
  const { properties, ...schema } = objectSchema(name, 0);
  return {
    ...schema,
    ...(description ? { description } : {}),
    properties: Object.fromEntries(
      Object.entries(properties).flatMap(([field, type]) => {
        // The published schema of each kind has these fields anyway, with descriptions.
        if (objectFields.has(field)) return [];
        const own = described.get(field);
        return [[field, own === undefined ? type : { ...type, description: own }]];
      }),
    ),
  };
}

function objectSchema(
  name: string,
  depth: number,
): Schema & { readonly properties: Readonly<Record<string, Schema>> } {
  const fields = (lines?.get(name) ?? "").split(" ").flatMap((each) => {
    const colon = each.indexOf(":");
    if (colon < 0) return [];
    const required = each[colon - 1] === "!";
    return [{ field: each.slice(0, required ? colon - 1 : colon), required, type: each.slice(colon + 1) }];
  });
  const required = fields.filter((each) => each.required).map(({ field }) => field);
  return {
    type: "object",
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(fields.map(({ field, type }) => [field, typeSchema(type, depth + 1)])),
  };
}

function typeSchema(type: string, depth: number): Schema {
  if (type.startsWith("[]")) return { type: "array", items: typeSchema(type.slice(2), depth) };
  if (type.startsWith("{}"))
    return { type: "object", additionalProperties: typeSchema(type.slice(2), depth) };
  const scalar = scalars[type];
  if (scalar) return scalar;
  if (depth > maxDepth) return { "x-kubernetes-preserve-unknown-fields": true };
  const { properties, ...schema } = objectSchema(type, depth);
  // The fields of a type that is not in the file are unknown, so all fields are accepted.
  return Object.keys(properties).length > 0
    ? { ...schema, properties }
    : { type: "object", "x-kubernetes-preserve-unknown-fields": true };
}

/**
 * Reads a file with one line for each type. In `types.generated.txt`, a line has the type's fields. In `descriptions.txt`, a line
 * has the kind's description, followed by the kind's fields with descriptions. The separator is ` | `.
 */
function linesByName(file: string): ReadonlyMap<string, string> {
  const text = readFileSync(new URL(file, import.meta.url), "utf8");
  return new Map(text.trim().split("\n").map(splitOnce));
}

function splitOnce(line: string): [string, string] {
  const space = line.indexOf(" ");
  return space < 0 ? [line, ""] : [line.slice(0, space), line.slice(space + 1)];
}
