import { defineErrors } from "@keelson/base";

export const errors = defineErrors({
  /**
   * The file cannot be used: a different process has locked it, it is damaged, or a newer release wrote it.
   */
  StorageUnusable: { retry: "never" },
});
