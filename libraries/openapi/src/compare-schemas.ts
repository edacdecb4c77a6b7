import type { OpenApiDocument, Schema } from "./document.ts";
import type { Findings } from "./findings.ts";
import { type FlatSchema, flatten } from "./flat-schema.ts";

type InDocument = readonly [document: OpenApiDocument, schema: Schema];

/** Compares two schemas recursively. Each pair of definitions is compared only once. */
export function compareSchemas(
  findings: Findings,
  where: string,
  ours: InDocument,
  theirs: InDocument,
): void {
  const own = flatten(...ours);
  const other = flatten(...theirs);
  const type = typeOf(own);
  if (type !== typeOf(other)) {
    findings.different(where, "type", type, typeOf(other));
    return;
  }
  compareLimits(findings, where, own, other);
  if (findings.seen(own.name, other.name)) return;
  if (type === "array")
    compareSchemas(findings, `${where}[]`, [ours[0], own.items ?? {}], [theirs[0], other.items ?? {}]);
  if (type === "map") {
    compareSchemas(findings, `${where}{}`, [ours[0], valuesOf(own)], [theirs[0], valuesOf(other)]);
  }
  if (type === "object") compareMembers(findings, where, [ours[0], own], [theirs[0], other]);
}

/** Returns the type of a schema as generated clients see it: `string (uuid)`, `array`, `map`, `object`. */
function typeOf({ type, format, properties, additionalProperties }: FlatSchema): string {
  if (Object.keys(properties).length > 0) return "object";
  if (type === "object" && additionalProperties !== undefined && additionalProperties !== false) return "map";
  return format === undefined ? (type ?? "object") : `${type} (${format})`;
}

function valuesOf({ additionalProperties }: FlatSchema): Schema {
  return typeof additionalProperties === "object" ? additionalProperties : {};
}

function compareLimits(findings: Findings, where: string, ours: FlatSchema, theirs: FlatSchema): void {
  const values = ({ enum: given }: FlatSchema) => given?.toSorted().join(", ") ?? "any";
  if (values(ours) !== values(theirs)) findings.different(where, "values", values(ours), values(theirs));
  const isOpen = (schema: FlatSchema) => schema["x-ms-enum"]?.modelAsString === true;
  if (theirs.enum) findings.noteUnlessEqual(where, "open to new values", isOpen(ours), isOpen(theirs));
  findings.noteUnlessEqual(where, "read-only", ours.readOnly === true, theirs.readOnly === true);
  findings.noteUnlessEqual(where, "secret", ours["x-ms-secret"] === true, theirs["x-ms-secret"] === true);
  findings.noteUnlessEqual(where, "nullable", ours["x-nullable"] === true, theirs["x-nullable"] === true);
  for (const limit of ["pattern", "minLength", "maxLength"] as const) {
    findings.noteUnlessEqual(where, limit, ours[limit], theirs[limit]);
  }
  const mutability = (schema: FlatSchema) => schema["x-ms-mutability"]?.join(", ");
  findings.noteUnlessEqual(where, "mutability", mutability(ours), mutability(theirs));
}

function compareMembers(
  findings: Findings,
  where: string,
  [ourDocument, ours]: readonly [OpenApiDocument, FlatSchema],
  [theirDocument, theirs]: readonly [OpenApiDocument, FlatSchema],
): void {
  for (const [name, member] of Object.entries(theirs.properties)) {
    findings.count("properties");
    const at = `${where}.${name}`;
    const own = ours.properties[name];
    if (!own) {
      findings.missing("property", at);
      continue;
    }
    findings.noteUnlessEqual(at, "required", ours.required.includes(name), theirs.required.includes(name));
    compareSchemas(findings, at, [ourDocument, own], [theirDocument, member]);
  }
  for (const name of Object.keys(ours.properties)) {
    if (!(name in theirs.properties)) findings.note(`${where}.${name}`, "only ours has this property");
  }
}
