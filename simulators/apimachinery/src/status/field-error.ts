import { boundedJson } from "./bounded-json.ts";
import type { StatusCause } from "./status-error.ts";

const maxShown = 1_000;

/** Causes of 422 Invalid for one field, with the messages of Kubernetes' field errors. */
export const fieldError = {
  required: (field: string, why = ""): StatusCause => ({
    reason: "FieldValueRequired",
    message: why ? `Required value: ${why}` : "Required value",
    field,
  }),
  invalid: (field: string, value: unknown, why: string): StatusCause => ({
    reason: "FieldValueInvalid",
    message: `Invalid value: ${shown(value)}: ${why}`,
    field,
  }),
  typeInvalid: (field: string, value: unknown, why: string): StatusCause => ({
    reason: "FieldValueTypeInvalid",
    message: `Invalid value: ${shown(value)}: ${why}`,
    field,
  }),
  notSupported: (field: string, value: unknown, supported: readonly unknown[]): StatusCause => ({
    reason: "FieldValueNotSupported",
    message: `Unsupported value: ${shown(value)}: supported values: ${supported.map(shown).join(", ")}`,
    field,
  }),
  forbidden: (field: string, why: string): StatusCause => ({
    reason: "FieldValueForbidden",
    message: `Forbidden: ${why}`,
    field,
  }),
  tooLong: (field: string, limit: number): StatusCause => ({
    reason: "FieldValueTooLong",
    message: `Too long: may not be more than ${limit} bytes`,
    field,
  }),
  tooMany: (field: string, found: number, limit: number): StatusCause => ({
    reason: "FieldValueTooMany",
    message: `Too many: ${found}: must have at most ${limit} items`,
    field,
  }),
  duplicate: (field: string, value: unknown): StatusCause => ({
    reason: "FieldValueDuplicate",
    message: `Duplicate value: ${shown(value)}`,
    field,
  }),
} as const;

/** Formats a value for a field error as JSON of limited length. */
function shown(value: unknown): string {
  return boundedJson(value, maxShown);
}
