import { defineErrors } from "@keelson/base";

/** Errors of deployments; each message names the way out. */
export const errors = defineErrors({
  DeploymentFailed: { retry: "backoff" },
  InvalidDeployConfiguration: { retry: "never" },
  MissingSecrets: { retry: "never" },
  UndeployableVersion: { retry: "never" },
  UnhealthyScaleSet: { retry: "never" },
  UnusableSecret: { retry: "never" },
});
