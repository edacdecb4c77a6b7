import { isDeepStrictEqual } from "node:util";
import { fieldError, type StatusCause } from "@keelson/apimachinery";
import { isPlainObject } from "@keelson/base";
import { sharedSchema } from "../custom/shared-schema.ts";
import type { StructuralSchema } from "../custom/structural-schema.ts";
import { validateDefaults } from "./default-rules.ts";
import { validateExpressions } from "./expression-rules.ts";
import { validateSchemaWords } from "./schema-rules.ts";
import { validateStructural } from "./structural-rules.ts";

/** Keywords that the root of a schema may contain if the version has a status subresource. */
const rootWords = new Set(
  (
    "description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern " +
    "maxItems minItems uniqueItems multipleOf required items properties externalDocs example " +
    "x-kubernetes-preserve-unknown-fields x-kubernetes-validations"
  ).split(" "),
);
const rootWordsText =
  "[Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern " +
  "MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields " +
  "XValidations]";

/** Valid schemas, and the paths at which they were validated. The cache avoids repeated validation of the same schemas. */
const good = new WeakMap<StructuralSchema, ReadonlySet<string>>();

export interface SchemaUse {
  /** True if the version has the status subresource. */
  readonly hasStatus: boolean;
  /** Schema of this version before the update. */
  readonly before: unknown;
}

/** Validates a definition's schema with Kubernetes' messages. An unchanged schema is skipped. */
export function validateDefinitionSchema(
  schema: unknown,
  path: string,
  use: SchemaUse,
): readonly StatusCause[] {
  if (!isPlainObject(schema) || isDeepStrictEqual(schema, use.before)) return [];
  const parsed = sharedSchema(schema);
  const key = `${path} ${use.hasStatus}`;
  if (good.get(parsed)?.has(key)) return [];
  const causes = judge(schema, parsed, path, use.hasStatus);
  if (causes.length === 0) good.set(parsed, new Set([...(good.get(parsed) ?? []), key]));
  return causes;
}

function judge(
  schema: Readonly<Record<string, unknown>>,
  parsed: StructuralSchema,
  path: string,
  hasStatus: boolean,
): readonly StatusCause[] {
  const structure = validateStructural(schema, path);
  const own = [
    ...(hasStatus ? rootCauses(schema, path) : []),
    ...(schema.nullable === true
      ? [fieldError.forbidden(`${path}.nullable`, "nullable cannot be true at the root")]
      : []),
    ...structure,
  ];
  const defaults = structure.length > 0 ? [] : validateDefaults(parsed, path);
  const words = validateSchemaWords(schema, path);
  const sound = structure.length + defaults.length + words.length === 0;
  return [...own, ...defaults, ...words, ...(sound ? validateExpressions(parsed, path) : [])];
}

function rootCauses(schema: Readonly<Record<string, unknown>>, path: string): readonly StatusCause[] {
  if (schema.type !== undefined && schema.type !== "object") {
    const why =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [fieldError.invalid(`${path}.type`, schema.type, why)];
  }
  const other = Object.keys(schema).find((word) => !rootWords.has(word));
  if (other === undefined) return [];
  const why = `only ${rootWordsText} fields are allowed at the root of the schema if the status subresource is enabled`;
  return [fieldError.invalid(path, { [other]: schema[other] }, why)];
}
