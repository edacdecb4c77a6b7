export { authorizerOf, type CallersDeps } from "./callers.ts";
export { followCertificate, readCertificate } from "./certificate-files.ts";
export { readCertificates } from "./config-files.ts";
export { databaseDriver } from "./database-driver.ts";
export { type GatewayConfig, gatewayHosts, readGatewayConfig } from "./gateway-config.ts";
export { openGatewayDatabase } from "./gateway-database.ts";
export { connectHive } from "./hive-config.ts";
export { type InstallerKind, installerKind } from "./installers/installer-kind.ts";
export { type InstallerKinds, installerKinds } from "./installers/installer-kinds.ts";
export { type OpenedDatabase, openServiceDatabase, openServiceKeyring } from "./open-service-database.ts";
export {
  type PortalConfig,
  type PortalSignInOptions,
  portalAccessOf,
  portalCertificateFiles,
  portalSignInOf,
  portalSshServerOf,
} from "./portal-config.ts";
export { readRoleConfig, readServiceConfig } from "./read-config.ts";
export { type ServiceAccount, serviceAccount } from "./service-account.ts";
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
  type ServiceEnvironmentOptions,
} from "./service-environment.ts";
export { skipTokenKeyOf } from "./skip-token-key.ts";
export { startClusterFigures, startTelemetry, type Telemetry, type TelemetryOptions } from "./telemetry.ts";
