import { isPlainObject } from "@keelson/base";

/** Schema keywords by the form of their value: a map from names to schemas, a single schema, or a list of schemas. */
const schemaMaps = new Set(["properties", "patternProperties", "definitions"]);
const schemaMembers = new Set(["items", "additionalProperties", "not"]);
const schemaLists = new Set(["allOf", "anyOf", "oneOf"]);
/** Documentation keywords without effect on validation. */
const prose = new Set(["description", "title", "example", "externalDocs"]);

/** Removes descriptions from a schema and its subschemas. Keeps properties with the name `description`. */
export function stripSchema(schema: unknown): unknown {
  if (!isPlainObject(schema)) return schema;
  const members = Object.entries(schema).flatMap(([name, member]) =>
    prose.has(name) ? [] : [[name, stripMember(name, member)]],
  );
  return Object.fromEntries(members);
}

function stripMember(name: string, member: unknown): unknown {
  if (schemaMembers.has(name)) return stripSchema(member);
  if (schemaLists.has(name) && Array.isArray(member)) return member.map(stripSchema);
  if (schemaMaps.has(name) && isPlainObject(member))
    return Object.fromEntries(Object.entries(member).map(([key, each]) => [key, stripSchema(each)]));
  return member;
}
