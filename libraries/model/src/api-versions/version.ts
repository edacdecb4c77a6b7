import { catalogue } from "../fields/catalogue.ts";
import type { Field } from "../fields/field.ts";
import { buildSchema, reorder, type SchemaNode } from "../fields/schema.ts";
import type { Rule } from "../rules/rule.ts";

export type Operation = "listCredentials" | "listAdminCredentials" | "credentials";

/** One version of the ARM API as data: its fields, its ordered rules and the behavior of its models. */
export interface ApiVersion {
  readonly name: string;
  /** Cluster actions in addition to GET, PUT, PATCH, DELETE and LIST. */
  readonly operations: ReadonlySet<Operation>;
  readonly fields: readonly SchemaNode[];
  /** The same fields in the order in which changes are reported. */
  readonly deltaFields: readonly SchemaNode[];
  readonly rules: readonly Rule[];
  readonly models: Models;
  /** Effect of a request on an existing cluster: an update by its owner, or maintenance by administrators. */
  readonly updates: "cluster" | "maintenance";
}

/**
 * Origin of the original models. They are hand-written before 2025-07-25 and generated since then:
 * - `hand-written`: property names are case-insensitive; `null` empties lists, maps and optional objects;
 *   empty lists are omitted.
 * - `generated`: property names are case-sensitive; `null` changes only tags; empty lists are returned.
 */
export type Models = "hand-written" | "generated";

export interface VersionDefinition {
  readonly name: string;
  readonly operations: readonly Operation[];
  readonly models: Models;
  /** All rules that may apply. Rules of fields that the version lacks are dropped. */
  readonly rules: readonly Rule[];
  /** Paths of fields of earlier versions that this version lacks, including everything below them. */
  readonly without?: readonly string[];
  /** Fields of this version alone. */
  readonly with?: readonly Field[];
  /** Deviations of this version by path. */
  readonly changes?: Readonly<Record<string, Partial<Omit<Field, "path" | "type">>>>;
  /** Fields that clients may change. Default: the mutable fields of the catalogue. */
  readonly mutable?: readonly string[];
  /** Clients may send read-only fields back as they read them. */
  readonly echoes?: boolean;
  readonly updates?: ApiVersion["updates"];
  /** Property names in the order in which changes are reported, by the path of their parent. */
  readonly deltaOrder?: Readonly<Record<string, string>>;
}

/**
 * Defines a version from the field catalogue: all fields introduced up to its date, with its exceptions.
 *
 *     defineVersion({ ...definitionOf2023_09_04, name: "2023-11-22", without: [] })
 */
export function defineVersion(definition: VersionDefinition): ApiVersion {
  const { name, models, without = [], changes = {} } = definition;
  const fields = [...catalogue, ...(definition.with ?? [])]
    .filter((field) => field.since <= name && !without.includes(field.path))
    .map((field) => asIn(definition, { ...field, ...changes[field.path] }));
  const schema = buildSchema(fields);
  const paths = new Set(pathsOf(schema));
  return {
    name,
    operations: new Set(definition.operations),
    fields: schema,
    deltaFields: reorder(schema, definition.deltaOrder ?? {}),
    rules: definition.rules.filter((rule) => paths.has(rule.field)),
    models,
    updates: definition.updates ?? "cluster",
  };
}

/** Adapts a field to a version. A field that became read-only in a later version is ordinary here. */
function asIn({ name, mutable, echoes }: VersionDefinition, field: Field): Field {
  const { readOnly, ...rest } = field;
  const ordinary = mutable ? { ...rest, mutable: mutable.includes(field.path) } : rest;
  if (!readOnly || readOnly.since > name) return ordinary;
  return { ...ordinary, readOnly: echoes ? { ...readOnly, sent: "refused if changed" } : readOnly };
}

function pathsOf(nodes: readonly SchemaNode[]): string[] {
  return nodes.flatMap((node) => [node.field.path, ...pathsOf(node.members)]);
}
