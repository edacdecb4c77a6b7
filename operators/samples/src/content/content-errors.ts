import { defineErrors } from "@keelson/base";

/** Errors that affect a complete catalogue. */
export const contentErrors = defineErrors({
  ContentUnreadable: { retry: "backoff" },
  LibraryUnreadable: { retry: "never" },
  DownloadFailed: { retry: "backoff" },
});
