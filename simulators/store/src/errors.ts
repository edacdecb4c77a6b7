import { defineErrors } from "@keelson/base";

export const errors = defineErrors({
  /** The journal file cannot be used. It is locked by a different process, damaged or written by a newer release. */
  StorageUnusable: { retry: "never" },
});
