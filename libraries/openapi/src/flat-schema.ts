import type { OpenApiDocument, Parameter, Schema } from "./document.ts";
import { errors } from "./errors.ts";

/** Schema without `$ref` and `allOf` at the top level. Nested schemas may contain both. */
export interface FlatSchema extends Schema {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
  /** Definition name. Undefined for an inline schema. */
  readonly name?: string;
}

/**
 * Resolves `$ref` and merges `allOf`. Fields next to a `$ref` or `allOf` override the fields of these schemas. `properties` and
 * `required` are combined.
 * @throws BadDocument
 */
export function flatten(document: OpenApiDocument, schema: Schema): FlatSchema {
  const { $ref, allOf = [], ...own } = schema;
  const bases = allOf.map((base) => flatten(document, base));
  const name = $ref === undefined ? undefined : definitionName($ref);
  if (name !== undefined) bases.unshift(flatten(document, definitionOf(document, name)));
  const merged = Object.assign({}, ...bases, own);
  return {
    ...merged,
    ...(name === undefined ? {} : { name }),
    properties: Object.assign({}, ...bases.map((base) => base.properties), own.properties),
    required: [
      ...bases.flatMap((base) => base.required),
      ...(Array.isArray(own.required) ? own.required : []),
    ],
  };
}

/** Returns `X` for the reference `#/definitions/X`. @throws BadDocument */
export function definitionName(reference: string): string {
  const name = /^#\/definitions\/(.+)$/.exec(reference)?.[1];
  if (name === undefined) throw errors.BadDocument(`${reference} is not a reference to a definition`);
  return name;
}

function definitionOf(document: OpenApiDocument, name: string): Schema {
  const found = document.definitions[name];
  if (!found) throw errors.BadDocument(`version ${document.info.version} has no definition ${name}`);
  return found;
}

/** Returns a parameter and resolves its reference, if any. @throws BadDocument */
export function resolveParameter(document: OpenApiDocument, parameter: Parameter): Parameter {
  if (parameter.$ref === undefined) return parameter;
  const name = /^#\/parameters\/(.+)$/.exec(parameter.$ref)?.[1] ?? "";
  const found = document.parameters?.[name];
  if (found) return found;
  throw errors.BadDocument(`version ${document.info.version} has no parameter ${parameter.$ref}`);
}
