export type { DevelopmentProxyFiles } from "./hive/development-proxy.ts";
export { connectedHive, type Hive, hiveInstaller } from "./hive/installer.ts";
export { storedGraph } from "./hive/stored-graph.ts";
export { isBootstrapComplete } from "./install/bootstrap-status.ts";
export type { InstallContext, Release } from "./install/install-context.ts";
export type { Installer, InstallState } from "./install/installer.ts";
export { machineImage } from "./install/machine-image.ts";
export { registryPullSecret } from "./install/pull-secret.ts";
export { openshiftInstaller } from "./openshift-install/installer.ts";
