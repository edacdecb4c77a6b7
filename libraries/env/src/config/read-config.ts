import type { OnConfigWarnings } from "../files/config-errors.ts";
import { readObject } from "../files/config-object.ts";
import { type InstallerKinds, installerKinds } from "../installers/installer-kinds.ts";
import {
  parseRoleConfig,
  parseServiceConfig,
  type RoleConfig,
  type ServiceConfig,
} from "./service-config.ts";

/**
 * Reads a JSON configuration file. Fields in `overrides` replace fields of the file. `onWarnings` receives the
 * ignored fields of a newer schema version.
 * @throws InvalidConfiguration naming the file and each invalid field
 */
export function readServiceConfig(
  path: string,
  overrides: Partial<ServiceConfig> = {},
  kinds: InstallerKinds = installerKinds,
  onWarnings?: OnConfigWarnings,
): ServiceConfig {
  return parseServiceConfig({ ...readObject(path), ...overrides }, path, kinds, onWarnings);
}

/**
 * Reads the configuration file of a role other than the resource provider.
 * @throws InvalidConfiguration naming the file and each invalid field
 */
export function readRoleConfig(
  path: string,
  overrides: Partial<RoleConfig> = {},
  kinds: InstallerKinds = installerKinds,
  onWarnings?: OnConfigWarnings,
): RoleConfig {
  return parseRoleConfig({ ...readObject(path), ...overrides }, path, kinds, onWarnings);
}
