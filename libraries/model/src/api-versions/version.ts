import { catalogue } from "../fields/catalogue.ts";
import type { Field } from "../fields/field.ts";
import { buildSchema, reorder, type SchemaNode } from "../fields/schema.ts";
import type { Rule } from "../rules/rule.ts";

export type Operation = "listCredentials" | "listAdminCredentials" | "credentials";

/** One version of the ARM API as data. It contains the version's fields, its ordered rules, and the behaviour of its models. */
export interface ApiVersion {
  readonly name: string;
  /** Supported operations on clusters in addition to GET, PUT, PATCH, DELETE and LIST. */
  readonly operations: ReadonlySet<Operation>;
  readonly fields: readonly SchemaNode[];
  /** The fields in the order in which changes are reported. */
  readonly deltaFields: readonly SchemaNode[];
  readonly rules: readonly Rule[];
  readonly models: Models;
  /**
   * Kind of update that a request to an existing cluster starts. `cluster` is an update by the cluster's owner, and `maintenance`
   * is maintenance that administrators request.
   */
  readonly updates: "cluster" | "maintenance";
}

/**
 * Origin of the reference service's models. They are hand-written before 2025-07-25 and generated in later versions.
 * - `hand-written`: property names are case-insensitive; `null` empties lists, maps and optional objects; empty lists are
 * omitted.
 * - `generated`: property names are case-sensitive; `null` changes only tags; empty lists are returned.
 */
export type Models = "hand-written" | "generated";

export interface VersionDefinition {
  readonly name: string;
  readonly operations: readonly Operation[];
  readonly models: Models;
  /** Rules of this version. Rules for fields that the version lacks are skipped. */
  readonly rules: readonly Rule[];
  /** Paths of fields that earlier versions have and this version lacks. The child fields of these paths are excluded too. */
  readonly without?: readonly string[];
  /** Fields that only this version has. */
  readonly with?: readonly Field[];
  /** Differences of this version from the catalogue, by path. */
  readonly changes?: Readonly<Record<string, Partial<Omit<Field, "path" | "type">>>>;
  /** Paths of fields that clients may change. Default: the mutable fields of the catalogue. */
  readonly mutable?: readonly string[];
  /** True if clients may send read-only fields with unchanged values. */
  readonly echoes?: boolean;
  readonly updates?: ApiVersion["updates"];
  /** Order of property names in change reports. The keys are the paths of the parent objects. */
  readonly deltaOrder?: Readonly<Record<string, string>>;
}

/**
 * Defines a version from the field catalogue. The version has all fields that were introduced up to its date, except for the
 * differences in `definition`.
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

/**
 * Adapts a field of the catalogue to a version. If the field is read-only only in later versions, it is writable in this version.
 */
function asIn({ name, mutable, echoes }: VersionDefinition, field: Field): Field {
  const { readOnly, ...rest } = field;
  const ordinary = mutable ? { ...rest, mutable: mutable.includes(field.path) } : rest;
  if (!readOnly || readOnly.since > name) return ordinary;
  return { ...ordinary, readOnly: echoes ? { ...readOnly, sent: "refused if changed" } : readOnly };
}

function pathsOf(nodes: readonly SchemaNode[]): string[] {
  return nodes.flatMap((node) => [node.field.path, ...pathsOf(node.members)]);
}
