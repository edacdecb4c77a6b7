import { defineErrors } from "@keelson/base";

export const errors = defineErrors({
  /** No document, operation, response or body has the given name. */
  NotDocumented: { retry: "never" },
  /** A file is not an OpenAPI 2 document, or a reference in the file is broken. */
  BadDocument: { retry: "never" },
});
