import { defineErrors } from "@keelson/base";

export const azureErrors = defineErrors({
  /** The pod's environment, or the Cluster, does not say how Azure is reached. */
  AzureNotConfigured: { retry: "never" },
  /** Azure refused a request; the message is the same for the same refusal. */
  AzureRequestFailed: { retry: "backoff" },
});
