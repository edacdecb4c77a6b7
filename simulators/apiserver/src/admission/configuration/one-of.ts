import { valueAt } from "../../json/access.ts";
import { fieldError } from "../../status/field-error.ts";
import type { StatusCause } from "../../status/status-error.ts";

/** The field, if it is there, has one of the values. */
export function oneOf(
  value: unknown,
  path: string,
  field: string,
  values: readonly string[],
): readonly StatusCause[] {
  const found = valueAt(value, field);
  if (found === undefined || values.some((each) => each === found)) return [];
  return [fieldError.notSupported(`${path}.${field}`, found, values)];
}
