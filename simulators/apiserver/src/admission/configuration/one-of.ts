import { fieldError, type StatusCause } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";

/** Validates that an optional field has one of the values. */
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
