import { defineErrors } from "@keelson/base";

/** Installer errors that customers cannot fix. */
export const installerErrors = defineErrors({
  /** The installer's graph lacks an asset or belongs to a different cluster. */
  InvalidAssetGraph: { retry: "never" },
  /** The installer failed or timed out. */
  InstallerFailed: { retry: "never" },
  /** The installer cannot be started, for example because the program is missing. */
  InstallerUnavailable: { retry: "never" },
  /** No pull secret for OpenShift images is available. */
  PullSecretMissing: { retry: "never" },
});
