import { catalogue } from "../fields/catalogue.ts";
import type { Field } from "../fields/field.ts";
import { buildSchema, reorder, type SchemaNode } from "../fields/schema.ts";
import type { Rule } from "../rules/rule.ts";

export type Operation = "listCredentials" | "listAdminCredentials" | "credentials";

/** One version of the ARM API, as data: its fields, its rules in their order, and the habits of its models. */
export interface ApiVersion {
  readonly name: string;
  /** Actions on a cluster beside GET, PUT, PATCH, DELETE and LIST. */
  readonly operations: ReadonlySet<Operation>;
  readonly fields: readonly SchemaNode[];
  /** The same fields in the order in which changes are reported. */
  readonly deltaFields: readonly SchemaNode[];
  readonly rules: readonly Rule[];
  readonly models: Models;
  /** What a request does to an existing cluster: what its owner asked for, or what its operators did. */
  readonly updates: "cluster" | "maintenance";
}

/**
 * The originals of versions before 2025-07-25 were written by hand, those after it are generated:
 * - `hand-written`: members match in any case; `null` empties lists, maps and optional objects;
 *   empty lists are not shown.
 * - `generated`: members match exactly; `null` changes nothing but tags; empty lists are shown.
 */
export type Models = "hand-written" | "generated";

export interface VersionDefinition {
  readonly name: string;
  readonly operations: readonly Operation[];
  readonly models: Models;
  /** All rules that may apply; those of fields that the version lacks are left out. */
  readonly rules: readonly Rule[];
  /** Fields that earlier versions have and this one lacks, by path; what is below them goes as well. */
  readonly without?: readonly string[];
  /** Fields of this version alone. */
  readonly with?: readonly Field[];
  /** What this version has differently, by path. */
  readonly changes?: Readonly<Record<string, Partial<Omit<Field, "path" | "type">>>>;
  /** The only fields that clients may change; where absent, those that the catalogue says. */
  readonly mutable?: readonly string[];
  /** Clients may send read-only fields back as they read them. */
  readonly echoes?: boolean;
  readonly updates?: ApiVersion["updates"];
  /** Names of members in the order in which changes are reported, by the path of their parent. */
  readonly deltaOrder?: Readonly<Record<string, string>>;
}

/**
 * Makes a version from the catalogue of fields: those introduced up to its date, and its exceptions.
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

/** A field that is read-only from a later version on is an ordinary one in this. */
function asIn({ name, mutable, echoes }: VersionDefinition, field: Field): Field {
  const { readOnly, ...rest } = field;
  const ordinary = mutable ? { ...rest, mutable: mutable.includes(field.path) } : rest;
  if (!readOnly || readOnly.since > name) return ordinary;
  return { ...ordinary, readOnly: echoes ? { ...readOnly, sent: "refused if changed" } : readOnly };
}

function pathsOf(nodes: readonly SchemaNode[]): string[] {
  return nodes.flatMap((node) => [node.field.path, ...pathsOf(node.members)]);
}
