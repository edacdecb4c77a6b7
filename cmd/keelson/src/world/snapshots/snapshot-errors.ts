import { defineErrors } from "@keelson/base";

/** Errors of snapshot requests. */
export const snapshotErrors = defineErrors({
  SnapshotBusy: { retry: "backoff" },
  SnapshotExists: { retry: "never" },
  SnapshotFailed: { retry: "never" },
  SnapshotNameInvalid: { retry: "never" },
  SnapshotNotFound: { retry: "never" },
});
