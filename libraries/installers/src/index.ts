export { isBootstrapComplete } from "./bootstrap-status.ts";
export { connectedHive, type Hive, hiveInstaller } from "./hive/installer.ts";
export { storedGraph } from "./hive/stored-graph.ts";
export type { InstallContext, Release } from "./install-context.ts";
export type { Installer, InstallState } from "./installer.ts";
export { machineImage } from "./machine-image.ts";
export { openshiftInstaller } from "./openshift-install/installer.ts";
export { registryPullSecret } from "./pull-secret.ts";
