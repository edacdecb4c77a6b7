export { isBootstrapComplete } from "./bootstrap-status.ts";
export { connectedHive, type Hive, type HiveOptions, hiveInstaller } from "./hive/installer.ts";
export { storedGraph } from "./hive/stored-graph.ts";
export type { InstallContext, ProgressReport, Release } from "./install-context.ts";
export type { ApiServerAddress, Installer, InstallState } from "./installer.ts";
export { machineImage } from "./machine-image.ts";
export {
  type OpenShiftInstallOptions,
  openshiftInstaller,
} from "./openshift-install/installer.ts";
export { registryPullSecret } from "./pull-secret.ts";
