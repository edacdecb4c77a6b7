import { defineErrors } from "@keelson/base";

/** Internal errors. Errors for callers are CloudErrors. */
export const errors = defineErrors({
  ActionLost: { retry: "never" },
  UnexpectedCommitResult: { retry: "never" },
});
