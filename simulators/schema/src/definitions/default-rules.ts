import { fieldError, type StatusCause } from "@keelson/apimachinery";
import { correlate } from "../custom/correlation.ts";
import { validateEmbedded } from "../custom/embedded-resources.ts";
import { prune } from "../custom/prune.ts";
import type { StructuralSchema } from "../custom/structural-schema.ts";
import { validate } from "../custom/validate.ts";
import { validateRules } from "../custom/validate-rules.ts";

/**
 * Returns the validation errors of a schema's defaults. Each default must match its schema and must not contain unknown fields.
 */
export function validateDefaults(
  schema: StructuralSchema,
  path: string,
  isInMetadata = false,
): readonly StatusCause[] {
  if (!schema.has.defaults) return [];
  const own =
    schema.default === undefined
      ? []
      : validateDefault(schema, schema.default, `${path}.default`, isInMetadata);
  const items = schema.items ? validateDefaults(schema.items, `${path}.items`, isInMetadata) : [];
  // Defaults for the metadata of an embedded resource may contain fields that the schema does not declare. A write removes
  // metadata fields that Kubernetes does not have.
  const properties = [...schema.properties].flatMap(([name, property]) =>
    validateDefaults(
      property,
      `${path}.properties[${name}]`,
      isInMetadata || (schema.embeddedResource && name === "metadata"),
    ),
  );
  return [...own, ...items, ...properties];
}

function validateDefault(
  schema: StructuralSchema,
  value: unknown,
  path: string,
  isInMetadata: boolean,
): readonly StatusCause[] {
  const isPruned = isInMetadata || prune(schema, value, schema.embeddedResource).removed.length === 0;
  const unknown = isPruned ? [] : [fieldError.invalid(path, value, "must not have unknown fields")];
  const below = (causes: readonly StatusCause[]) =>
    causes.map((each) => ({
      ...each,
      field: !each.field
        ? path
        : each.field.startsWith("[")
          ? `${path}${each.field}`
          : `${path}.${each.field}`,
    }));
  const { embeddedResource: isResource } = schema;
  const wrong = [...below(validateEmbedded(schema, value)), ...below(validate(schema, value))];
  if (wrong.length > 0) return [...unknown, ...wrong];
  const unchanged = below(
    validateRules(schema, value, { correlated: correlate(schema, value, value), isResource }),
  );
  const asNew = unchanged.length > 0 ? [] : below(validateRules(schema, value, { isResource }));
  return [...unknown, ...unchanged, ...asNew];
}
