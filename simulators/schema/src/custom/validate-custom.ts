import { fieldError, type KubeObject, requestBudget, type StatusCause } from "@keelson/apimachinery";
import { objectAt, valueAt, type WorkBudget } from "@keelson/base";
import { correlate } from "./correlation.ts";
import type { ScalePaths } from "./custom-version.ts";
import { validateEmbedded } from "./embedded-resources.ts";
import { validateListTypes } from "./list-types.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { validate } from "./validate.ts";
import { validateRules } from "./validate-rules.ts";

/** Error reasons after which rules are not evaluated, because the object is too malformed. */
const blocking = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

/** Field name in errors about the complete object, as in Kubernetes. */
const wholeObject = "<nil>";

const notAllChecked = fieldError.invalid(
  wholeObject,
  "null",
  "some validation rules were not checked because the object was invalid; correct the existing errors to complete " +
    "validation",
);

export interface CustomChange {
  readonly scale?: ScalePaths | undefined;
  readonly object: KubeObject;
  /** Previous object. Undefined for a new object. */
  readonly current?: KubeObject | undefined;
  /** True for writes to `status`. Only the status is validated with the schema, but all rules are evaluated. */
  readonly statusOnly?: boolean;
  /** Receives errors that are tolerated because the previous object has the same errors. */
  readonly warn?: ((text: string) => void) | undefined;
  readonly budget?: WorkBudget | undefined;
}

/** Validates a custom resource: its values, list types, embedded resources and rules. */
export function validateCustom(schema: StructuralSchema, change: CustomChange): readonly StatusCause[] {
  const { object, current, statusOnly = false, warn, budget = requestBudget() } = change;
  const correlated = current && correlate(schema, object, current, budget);
  const values = statusOnly
    ? validateStatus(schema, object, current, budget)
    : validate(schema, object, "", correlated, budget).map((each) => ({
        ...each,
        field: each.field || wholeObject,
      }));
  const repeated = validateListTypes(schema, object, "", budget);
  const settled =
    repeated.length > 0 && current !== undefined && validateListTypes(schema, current, "", budget).length > 0;
  const causes = [
    ...values,
    ...validateScale(object, change.scale),
    ...validateEmbedded(schema, object),
    ...(settled ? [] : repeated),
  ];
  if (!schema.has.rules) return causes;
  if (causes.some(({ reason }) => blocking.has(reason))) return [...causes, notAllChecked];
  const refused = validateRules(schema, object, { correlated, warn, budget });
  return [...causes, ...refused.map((each) => ({ ...each, field: each.field || wholeObject }))];
}

/** Validates the replica fields of the `scale` subresource. */
function validateScale(object: KubeObject, scale: ScalePaths | undefined): readonly StatusCause[] {
  const paths = scale ? [scale.specReplicas, scale.statusReplicas] : [];
  return paths.flatMap((path) => {
    const count = valueAt(object, ...path);
    if (typeof count !== "number" && typeof count !== "bigint") return [];
    const field = `.${path.join(".")}`;
    if (count < 0) return [fieldError.invalid(field, count, "should be a non-negative integer")];
    if (count <= 2 ** 31 - 1) return [];
    return [fieldError.invalid(field, count, `should be less than or equal to ${2 ** 31 - 1}`)];
  });
}

function validateStatus(
  schema: StructuralSchema,
  object: KubeObject,
  current: KubeObject | undefined,
  budget: WorkBudget,
): readonly StatusCause[] {
  const status = valueAt(object, "status");
  const ofStatus = schema.properties.get("status");
  if (!ofStatus || status === undefined) return [];
  const correlated = current && correlate(schema, object, objectAt(current), budget).member("status", status);
  return validate(ofStatus, status, "", correlated, budget).map((each) => ({
    ...each,
    field: !each.field
      ? "status"
      : each.field.startsWith("[")
        ? `status${each.field}`
        : `status.${each.field}`,
  }));
}
