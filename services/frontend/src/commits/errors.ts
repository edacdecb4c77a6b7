import { defineErrors } from "@keelson/base";

/** What can go wrong beside the answers to callers, which are CloudErrors. */
export const errors = defineErrors({
  ActionLost: { retry: "never" },
  UnexpectedCommitResult: { retry: "never" },
});
