import { defineErrors } from "@keelson/base";

export const errors = defineErrors({
  /** There is no document, operation, response or body of that name. */
  NotDocumented: { retry: "never" },
  /** A file is not an OpenAPI 2 document, or has a broken reference. */
  BadDocument: { retry: "never" },
});
