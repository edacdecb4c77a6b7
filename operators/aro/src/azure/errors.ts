import { defineErrors } from "@keelson/base";

export const azureErrors = defineErrors({
  /** The pod's environment or the Cluster lacks a setting for the Azure connection. */
  AzureNotConfigured: { retry: "never" },
  /** Azure rejected a request. Identical rejections have identical messages. */
  AzureRequestFailed: { retry: "backoff" },
});
