export { authorizerOf, type CallersDeps } from "./callers.ts";
export { followCertificate } from "./certificate-files.ts";
export { databaseDriver } from "./database-driver.ts";
export { connectHive } from "./hive-config.ts";
export { portalAccessOf } from "./portal-config.ts";
export { readServiceConfig } from "./read-config.ts";
export { parseServiceConfig, type ServiceConfig } from "./service-config.ts";
export {
  createServiceEnvironment,
  type ServiceEnvironment,
  type ServiceEnvironmentOptions,
} from "./service-environment.ts";
export { startTelemetry, type Telemetry, type TelemetryOptions } from "./telemetry.ts";
