export { authorizerOf } from "./callers.ts";
export { followCertificate, readCertificate } from "./certificate-files.ts";
export { readCertificates } from "./config-files.ts";
export { databaseDriver } from "./database-driver.ts";
export { type GatewayConfig, gatewayHosts, readGatewayConfig } from "./gateway-config.ts";
export { openGatewayDatabase } from "./gateway-database.ts";
export { connectHive } from "./hive-config.ts";
export { installerKind } from "./installers/installer-kind.ts";
export { type InstallerKinds, installerKinds } from "./installers/installer-kinds.ts";
export { openServiceDatabase, openServiceKeyring } from "./open-service-database.ts";
export {
  type PortalConfig,
  portalAccessOf,
  portalCertificateFiles,
  portalSshServerOf,
} from "./portal-config.ts";
export { portalSignInOf } from "./portal-sign-in.ts";
export { readRoleConfig, readServiceConfig } from "./read-config.ts";
export { serviceAccount } from "./service-account.ts";
export {
  defaultOperationsPerSubscription,
  parseRoleConfig,
  parseServiceConfig,
  type RoleConfig,
  type ServiceConfig,
} from "./service-config.ts";
export {
  createServiceEnvironment,
  type ServiceEnvironment,
} from "./service-environment.ts";
export { skipTokenKeyOf } from "./skip-token-key.ts";
export { startClusterFigures, startTelemetry, type Telemetry } from "./telemetry.ts";
