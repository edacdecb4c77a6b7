import { defineErrors } from "@keelson/base";

/** What goes wrong with installers, and is not for a customer to repair. */
export const installerErrors = defineErrors({
  /** What the installer generated lacks something, or is about another cluster. */
  InvalidAssetGraph: { retry: "never" },
  /** The folder with what the installer generated is on another machine, or gone. */
  InstallationElsewhere: { retry: "never" },
  /** The installer ended when it had begun to make infrastructure: nothing can go on from there. */
  InstallationInterrupted: { retry: "never" },
  /** The installer ended with an error, or did not end in time. */
  InstallerFailed: { retry: "never" },
  /** The installer cannot be started. */
  InstallerUnavailable: { retry: "never" },
  /** No pull secret is known with which the images of OpenShift can be fetched. */
  PullSecretMissing: { retry: "never" },
});
