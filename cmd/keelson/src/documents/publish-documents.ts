import process from "node:process";
import { type JsonValue, silentLogger, systemClock } from "@keelson/base";
import { openServiceDatabase, type ServiceConfig } from "@keelson/env";
import {
  type Published,
  type PublishOptions,
  parseRoleSets,
  parseVersionStreams,
  publishRoleSets,
  publishVersions,
  type ServiceDatabase,
} from "@keelson/model";
import { type Environment, mirrorDestination } from "../azure/mirror-environment.ts";
import type { ConfigFlags } from "../options/service-flags.ts";
import { serviceConfigOf } from "../options/service-flags.ts";
import { cliErrors } from "../output/cli-errors.ts";
import { tableOf } from "../output/table.ts";

export interface PublishFlags extends ConfigFlags {
  readonly dryRun?: boolean;
  readonly output: "table" | "json";
}

/**
 * Publishes the OpenShift versions that the environment variables describe. Validates all variables before it opens the database.
 */
export async function runUpdateVersions(
  flags: PublishFlags,
  environment: Environment,
  signal: AbortSignal,
): Promise<void> {
  const [streams, digests] = readJson(environment, ["OPENSHIFT_VERSIONS", "INSTALLER_IMAGE_DIGESTS"]);
  const config = await serviceConfigOf(flags);
  const registry = environment.DST_ACR_NAME
    ? mirrorDestination(environment)
    : config.containerRegistry?.domain;
  if (registry === undefined)
    throw cliErrors.SettingMissing("the registry of the installers is not said: set DST_ACR_NAME");
  const [images] = environment.MACHINE_IMAGES ? readJson(environment, ["MACHINE_IMAGES"]) : [{}];
  const wanted = parseVersionStreams(streams ?? null, digests ?? null, registry, images);
  await publish(flags, config, signal, (database, options) => publishVersions(database, wanted, options));
}

export async function runUpdateRoleSets(
  flags: PublishFlags,
  environment: Environment,
  signal: AbortSignal,
): Promise<void> {
  const [value] = readJson(environment, ["PLATFORM_WORKLOAD_IDENTITY_ROLE_SETS"]);
  const wanted = parseRoleSets(value ?? null);
  const config = await serviceConfigOf(flags);
  await publish(flags, config, signal, (database, options) => publishRoleSets(database, wanted, options));
}

async function publish(
  { dryRun = false, output }: PublishFlags,
  config: ServiceConfig,
  signal: AbortSignal,
  change: (database: ServiceDatabase, options: PublishOptions) => Promise<Published>,
): Promise<void> {
  await using opened = await openServiceDatabase(config, {
    clock: systemClock,
    logger: silentLogger,
    signal,
  });
  const published = await change(opened.database, { dryRun, signal });
  const rows = Object.entries(published).flatMap(([change, names]: [string, readonly string[]]) =>
    names.map((name) => [name, change]),
  );
  process.stdout.write(
    output === "json"
      ? `${JSON.stringify({ dryRun, ...published })}\n`
      : tableOf([["VERSION", "CHANGE"], ...rows]),
  );
}

/** Parses variables that contain JSON or base64-encoded JSON. @throws SettingMissing naming all unset variables */
function readJson(environment: Environment, names: readonly string[]): readonly JsonValue[] {
  const missing = names.filter((name) => !environment[name]);
  if (missing.length > 0) throw cliErrors.SettingMissing(`unset in the environment: ${missing.join(", ")}`);
  return names.map((name) => {
    const text = environment[name]?.trim() ?? "";
    try {
      return JSON.parse(/^[[{]/.test(text) ? text : Buffer.from(text, "base64").toString("utf8"));
    } catch {
      throw cliErrors.SettingMissing(`${name} is neither JSON nor base64 of JSON`);
    }
  });
}
