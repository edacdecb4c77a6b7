import { readObject } from "../files/config-object.ts";
import { type InstallerKinds, installerKinds } from "../installers/installer-kinds.ts";
import {
  parseRoleConfig,
  parseServiceConfig,
  type RoleConfig,
  type ServiceConfig,
} from "./service-config.ts";

/**
 * Reads a JSON configuration file. Fields in `overrides` replace fields of the file.
 * @throws InvalidConfiguration naming the file and each invalid field
 */
export function readServiceConfig(
  path: string,
  overrides: Partial<ServiceConfig> = {},
  kinds: InstallerKinds = installerKinds,
): ServiceConfig {
  return parseServiceConfig({ ...readObject(path), ...overrides }, path, kinds);
}

/**
 * Reads the configuration file of a role other than the resource provider.
 * @throws InvalidConfiguration naming the file and each invalid field
 */
export function readRoleConfig(
  path: string,
  overrides: Partial<RoleConfig> = {},
  kinds: InstallerKinds = installerKinds,
): RoleConfig {
  return parseRoleConfig({ ...readObject(path), ...overrides }, path, kinds);
}
