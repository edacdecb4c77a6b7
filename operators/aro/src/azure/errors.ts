import { defineErrors } from "@keelson/base";

export const azureErrors = defineErrors({
  /** A setting for the Azure connection is missing in the pod's environment or in the Cluster. */
  AzureNotConfigured: { retry: "never" },
  /** Azure rejected a request. Identical failures have identical messages. */
  AzureRequestFailed: { retry: "backoff" },
});
