import { defineErrors } from "@keelson/base";

/** Internal errors. Errors for callers are instances of CloudError. */
export const errors = defineErrors({
  ActionLost: { retry: "never" },
  UnexpectedCommitResult: { retry: "never" },
});
