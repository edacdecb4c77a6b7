import { join } from "node:path";
import type { ServiceConfig } from "@keelson/env";
import { publishAroInstaller } from "../state/aro-installer.ts";
import { writeFileAtomically } from "../state/atomic-file.ts";
import { embeddedServiceConfig } from "./embedded-service-config.ts";
import type { InstanceState } from "./open-state.ts";

export interface ServiceConfigOptions {
  /** Database settings. Default: a database in the state directory. */
  readonly database?: ServiceConfig["database"];
  /** True if the console of the simulated world runs. Default: false. */
  readonly hasConsole?: boolean;
}

/**
 * Writes `service.json` for resource providers of a state directory. Their database is in this directory unless `database`
 * specifies a different one.
 */
export function publishServiceConfig(
  { directory, identity, ports, clusterProcesses, managementCluster, aroInstaller }: InstanceState,
  { database, hasConsole = false }: ServiceConfigOptions = {},
): ServiceConfig {
  const config = embeddedServiceConfig(directory, identity, ports, {
    database,
    clusterProcesses,
    hasHive: managementCluster !== undefined,
    hasConsole,
    aroInstaller,
  });
  if (aroInstaller) publishAroInstaller(directory, aroInstaller);
  writeFileAtomically(join(directory, "service.json"), `${JSON.stringify(config, undefined, 2)}\n`, 0o600);
  return config;
}
