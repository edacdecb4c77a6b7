import {
  fieldError,
  type KubeObject,
  recordAt,
  requestBudget,
  type StatusCause,
  valueAt,
} from "@keelson/apimachinery";
import type { WorkBudget } from "@keelson/base";
import { correlate } from "./correlation.ts";
import type { ScalePaths } from "./custom-version.ts";
import { validateEmbedded } from "./embedded-resources.ts";
import { validateListTypes } from "./list-types.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { validate } from "./validate.ts";
import { validateRules } from "./validate-rules.ts";

/** With one of these, an object is too wrong for rules to make sense of it. */
const blocking = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

/** What Kubernetes prints where an error is about the whole object. */
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
  /** Absent when the object is new. */
  readonly current?: KubeObject | undefined;
  /** A write to `status` is checked by the schema of the status alone, but by all rules. */
  readonly statusOnly?: boolean;
  /** Gets what is wrong but tolerated, because it was so before. */
  readonly warn?: ((text: string) => void) | undefined;
  readonly budget?: WorkBudget | undefined;
}

/** What is wrong with a custom resource: its schema's values, list types, embedded resources, and rules. */
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

/** The numbers of replicas that scaling reads. */
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
  const correlated = current && correlate(schema, object, recordAt(current), budget).member("status", status);
  return validate(ofStatus, status, "", correlated, budget).map((each) => ({
    ...each,
    field: !each.field
      ? "status"
      : each.field.startsWith("[")
        ? `status${each.field}`
        : `status.${each.field}`,
  }));
}
