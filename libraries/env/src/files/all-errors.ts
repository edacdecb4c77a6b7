import type { TSchema } from "typebox";
import { Settings } from "typebox/system";
import { Errors } from "typebox/value";

/** Maximum number of errors. It is far above the number of fields in a configuration and limits the time for malicious input. */
const maxErrors = 1_000;

/** Returns all validation errors of a value. TypeBox alone returns at most eight. */
export function allErrors(schema: TSchema | object, value: unknown): ReturnType<typeof Errors> {
  const before = Settings.Get().maxErrors;
  Settings.Set({ maxErrors });
  try {
    return Errors(schema, value);
  } finally {
    Settings.Set({ maxErrors: before });
  }
}
