import { join } from "node:path";
import type { GovernanceConfig, ServiceConfig } from "@keelson/env";
import { publishAroInstaller } from "../state/aro-installer.ts";
import { writeFileAtomically } from "../state/atomic-file.ts";
import { embeddedServiceConfig } from "./embedded-service-config.ts";
import type { InstanceState } from "./open-state.ts";

export interface ServiceConfigOptions {
  /** Database settings. Default: a database in the state directory. */
  readonly database?: ServiceConfig["database"];
  /** True if the console of the simulated world runs. Default: false. */
  readonly hasConsole?: boolean;
  /** Rules for administrators' actions. Default: none. */
  readonly governance?: GovernanceConfig;
}

/**
 * Writes `service.json` for resource providers of a state directory. Their database is in this directory unless `database`
 * specifies a different one.
 */
export function publishServiceConfig(
  state: InstanceState,
  options: ServiceConfigOptions = {},
): ServiceConfig {
  const { directory, aroInstaller } = state;
  const config = serviceConfigOf(state, options);
  if (aroInstaller) publishAroInstaller(directory, aroInstaller);
  writeFileAtomically(join(directory, "service.json"), `${JSON.stringify(config, undefined, 2)}\n`, 0o600);
  return config;
}

/** Returns the configuration of a resource provider of a state directory. */
export function serviceConfigOf(
  { directory, identity, ports, clusterProcesses, managementCluster, aroInstaller }: InstanceState,
  { database, hasConsole = false, governance }: ServiceConfigOptions = {},
): ServiceConfig {
  return embeddedServiceConfig(directory, identity, ports, {
    database,
    clusterProcesses,
    hasHive: managementCluster !== undefined,
    hasConsole,
    governance,
    aroInstaller,
  });
}
