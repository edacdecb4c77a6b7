export { aroInstaller } from "./aro-installer/installer.ts";
export { connectedHive, type Hive, hiveInstaller } from "./hive/installer.ts";
export { isBootstrapComplete } from "./install/bootstrap-status.ts";
export type { DevelopmentProxyFiles } from "./install/development-proxy.ts";
export type { InstallContext, Release } from "./install/install-context.ts";
export type { Installer, InstallState } from "./install/installer.ts";
export { machineImage } from "./install/machine-image.ts";
export { registryPullSecret } from "./install/pull-secret.ts";
export { storedGraph } from "./install/stored-graph.ts";
