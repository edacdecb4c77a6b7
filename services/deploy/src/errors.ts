import { defineErrors } from "@keelson/base";

/** What can go wrong on the way to Azure; each message names the way out. */
export const errors = defineErrors({
  DeploymentFailed: { retry: "backoff" },
  InvalidDeployConfiguration: { retry: "never" },
  MissingSecrets: { retry: "never" },
  UndeployableVersion: { retry: "never" },
  UnhealthyScaleSet: { retry: "never" },
  UnusableSecret: { retry: "never" },
});
