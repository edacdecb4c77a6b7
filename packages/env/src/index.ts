export { readServiceConfig } from "./read-config.ts";
export { parseServiceConfig, type ServiceConfig } from "./service-config.ts";
export {
  createServiceEnvironment,
  type ServiceEnvironment,
  type ServiceEnvironmentOptions,
} from "./service-environment.ts";
