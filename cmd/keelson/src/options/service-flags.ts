import { resolve } from "node:path";
import type { Logger } from "@keelson/base";
import type { OnConfigWarnings } from "@keelson/env";
import { type Command, Option } from "commander";
import { logLevelOption, parsePort, stateOption } from "./options.ts";

/** Options that select the configuration of a command. */
export interface ConfigFlags {
  readonly state: string;
  readonly config?: string;
  readonly database?: string;
}

/** Flags that every service role accepts. */
export interface ServiceFlags extends ConfigFlags {
  readonly port?: number;
  readonly metricsPort?: number;
  readonly logLevel: string;
}

export function addServiceOptions(command: Command): Command {
  return addConfigOptions(command)
    .option(
      "--metrics-port <n>",
      "metrics port, instead of `metricsPort` in the configuration; 0 selects a free port",
      parsePort,
    )
    .addOption(logLevelOption())
    .addHelpText(
      "after",
      "\nThe process logs to standard error. After the first SIGTERM, the process completes active work and exits.\nAfter a second SIGTERM, the process exits immediately.",
    );
}

export function addConfigOptions(command: Command): Command {
  return command
    .addOption(stateOption())
    .addOption(
      new Option(
        "--config <file>",
        "configuration file (default: service.json in the state directory)",
      ).argParser((text: string) => resolve(text)),
    )
    .option(
      "--database <url or dir>",
      "database, instead of the database in the configuration: postgres://user:password@host:port/db, or the directory of an embedded database",
    );
}

/** Returns the resource provider's configuration, overridden by flags. @throws InvalidConfiguration */
export async function serviceConfigOf(
  flags: ConfigFlags & Partial<ServiceFlags>,
  onWarnings?: OnConfigWarnings,
) {
  const { readServiceConfig } = await import("@keelson/env");
  const { programInstallerKinds } = await import("../configuration/installer-kinds.ts");
  return readServiceConfig(configFileOf(flags), overridesOf(flags), programInstallerKinds, onWarnings);
}

/** Returns the configuration of a role other than the resource provider, overridden by flags. @throws InvalidConfiguration */
export async function roleConfigOf(
  flags: ConfigFlags & Partial<ServiceFlags>,
  onWarnings?: OnConfigWarnings,
) {
  const { readRoleConfig } = await import("@keelson/env");
  const { programInstallerKinds } = await import("../configuration/installer-kinds.ts");
  return readRoleConfig(configFileOf(flags), overridesOf(flags), programInstallerKinds, onWarnings);
}

/**
 * Returns the source of the resource provider's configuration. A running process reads the configuration from this source
 * at its start and repeatedly. `logger` receives the warnings.
 */
export function serviceConfigSource(flags: ConfigFlags & Partial<ServiceFlags>, logger: Logger) {
  const path = configFileOf(flags);
  const onWarnings = logWarnings(path, logger);
  return { path, read: () => serviceConfigOf(flags, onWarnings) };
}

/**
 * Returns the source of the configuration of a role other than the resource provider. A running process reads the configuration
 * from this source at its start and repeatedly. `logger` receives the warnings.
 */
export function roleConfigSource(flags: ConfigFlags & Partial<ServiceFlags>, logger: Logger) {
  const path = configFileOf(flags);
  const onWarnings = logWarnings(path, logger);
  return { path, read: () => roleConfigOf(flags, onWarnings) };
}

/** Returns a function that logs the warnings of a configuration file if they differ from the previous ones. */
export function logWarnings(path: string, logger: Logger): OnConfigWarnings {
  let logged = "";
  return (warnings) => {
    const current = warnings.join("\n");
    if (current !== logged && warnings.length > 0)
      logger.warn({ path, warnings }, "fields of a newer schema version of the configuration are ignored");
    logged = current;
  };
}

function configFileOf({ config, state }: ConfigFlags): string {
  return config ?? resolve(state, "service.json");
}

function overridesOf({ database, port, metricsPort }: ConfigFlags & Partial<ServiceFlags>) {
  return {
    ...(database === undefined ? {} : { database: databaseOf(database) }),
    ...(port === undefined ? {} : { port }),
    ...(metricsPort === undefined ? {} : { metricsPort }),
  };
}

function databaseOf(text: string) {
  return /^postgres(ql)?:/.test(text)
    ? { kind: "postgres" as const, url: text }
    : { kind: "embedded" as const, directory: resolve(text) };
}
