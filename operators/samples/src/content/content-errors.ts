import { defineErrors } from "@keelson/base";

/** What can go wrong with catalogues as a whole. */
export const contentErrors = defineErrors({
  ContentUnreadable: { retry: "backoff" },
  LibraryUnreadable: { retry: "never" },
  DownloadFailed: { retry: "backoff" },
});
