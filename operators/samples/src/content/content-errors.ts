import { defineErrors } from "@keelson/base";

/** Errors about complete catalogues. */
export const contentErrors = defineErrors({
  ContentUnreadable: { retry: "backoff" },
  LibraryUnreadable: { retry: "never" },
  DownloadFailed: { retry: "backoff" },
});
