import { defineErrors } from "@keelson/base";

/** Failures of installers that customers cannot repair. */
export const installerErrors = defineErrors({
  /** The installer's graph lacks an asset, or belongs to a different cluster. */
  InvalidAssetGraph: { retry: "never" },
  /** The installer ended with an error, or did not end in time. */
  InstallerFailed: { retry: "never" },
  /** The installer cannot be started. */
  InstallerUnavailable: { retry: "never" },
  /** There is no pull secret for OpenShift's images. */
  PullSecretMissing: { retry: "never" },
});
