import { defineErrors } from "@keelson/base";

export const azureErrors = defineErrors({
  /** A setting for the Azure connection is missing in the pod's environment or in the Cluster. */
  AzureNotConfigured: { retry: "never" },
  /** Azure rejected a request. Equal errors have equal messages. */
  AzureRequestFailed: { retry: "backoff" },
});
