import { defineErrors } from "@keelson/base";

/** Failures of installers that customers cannot repair. */
export const installerErrors = defineErrors({
  /** The installer's graph lacks an asset, or is another cluster's. */
  InvalidAssetGraph: { retry: "never" },
  /** The installer ended with an error, or did not end in time. */
  InstallerFailed: { retry: "never" },
  /** The installer cannot be started. */
  InstallerUnavailable: { retry: "never" },
  /** No pull secret for OpenShift's images is known. */
  PullSecretMissing: { retry: "never" },
});
