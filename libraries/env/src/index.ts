export { authorizerOf } from "./callers.ts";
export { requiresReason } from "./config/callers-config.ts";
export { type ConfigRole, readsField } from "./config/field-roles.ts";
export { firstPartyCertificateFiles } from "./config/first-party.ts";
export {
  checkGatewayConfig,
  type GatewayConfig,
  gatewayConfigSchema,
  gatewayHosts,
  readGatewayConfig,
} from "./config/gateway-config.ts";
export { type GovernanceConfig, readGovernance } from "./config/governance-config.ts";
export { connectHive } from "./config/hive-config.ts";
export {
  type ConfigSource,
  LiveConfig,
  rereadDatabase,
  rereadFirstParty,
  rereadSchemaVersion,
  rereadServiceFields,
} from "./config/live-config.ts";
export {
  type PortalConfig,
  portalAccessOf,
  portalAdminApiOf,
  portalCertificateFiles,
  portalSshServerOf,
} from "./config/portal-config.ts";
export { readRoleConfig, readServiceConfig } from "./config/read-config.ts";
export { configSchemaVersion } from "./config/schema-version.ts";
export {
  checkRoleConfig,
  checkServiceConfig,
  defaultOperationsPerSubscription,
  parseRoleConfig,
  parseServiceConfig,
  type RoleConfig,
  type ServiceConfig,
  serviceConfigJsonSchema,
} from "./config/service-config.ts";
export { databaseDriver } from "./database/database-driver.ts";
export { databaseObserver } from "./database/database-metrics.ts";
export { openGatewayDatabase } from "./database/gateway-database.ts";
export { followCertificate, readCertificate } from "./files/certificate-files.ts";
export type { CheckedConfig, OnConfigWarnings } from "./files/config-errors.ts";
export { readCertificates } from "./files/config-files.ts";
export { readObject } from "./files/config-object.ts";
export { installerKind } from "./installers/installer-kind.ts";
export { type InstallerConfig, type InstallerKinds, installerKinds } from "./installers/installer-kinds.ts";
export { keyFaults } from "./keys/key-faults.ts";
export { skipTokenKeysOf } from "./keys/skip-token-key.ts";
export { openServiceDatabase, openServiceKeyring } from "./open-service-database.ts";
export { portalSignInOf } from "./portal-sign-in.ts";
export { configurationDocument, type DescribedConfig } from "./reference/configuration-document.ts";
export { exampleFile } from "./reference/example-file.ts";
export { type FieldRow, fieldRows } from "./reference/field-rows.ts";
export { serviceAccount } from "./service-account.ts";
export {
  createServiceEnvironment,
  type ServiceEnvironment,
} from "./service-environment.ts";
export { startClusterFigures, startTelemetry, type Telemetry } from "./telemetry.ts";
