import { defineErrors } from "@keelson/base";

/** Deployment errors. Each message includes a remedy. */
export const errors = defineErrors({
  DeploymentFailed: { retry: "backoff" },
  InvalidDeployConfiguration: { retry: "never" },
  MissingSecrets: { retry: "never" },
  UndeployableVersion: { retry: "never" },
  UnhealthyScaleSet: { retry: "never" },
  UnusableSecret: { retry: "never" },
});
