import type { TSchema } from "typebox";
import { Settings } from "typebox/system";
import { Errors } from "typebox/value";

/** Far above the number of fields of a configuration. Bounds the time for hostile input. */
const maxErrors = 1_000;

/** Lists all errors of a value. TypeBox alone stops at the eighth. */
export function allErrors(schema: TSchema | object, value: unknown): ReturnType<typeof Errors> {
  const before = Settings.Get().maxErrors;
  Settings.Set({ maxErrors });
  try {
    return Errors(schema, value);
  } finally {
    Settings.Set({ maxErrors: before });
  }
}
