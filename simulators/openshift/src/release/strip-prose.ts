import { isPlainObject } from "@keelson/base";

/** Members of a schema that hold schemas by name, one schema, and a list of schemas. */
const schemaMaps = new Set(["properties", "patternProperties", "definitions"]);
const schemaMembers = new Set(["items", "additionalProperties", "not"]);
const schemaLists = new Set(["allOf", "anyOf", "oneOf"]);
/** Written for people; no behaviour depends on them. */
const prose = new Set(["description", "title", "example", "externalDocs"]);

/** A schema without its prose, here and below. Properties that are called `description` stay. */
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
