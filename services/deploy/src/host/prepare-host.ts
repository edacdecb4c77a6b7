import { chmod, mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { statusOf, type VaultSecrets } from "@keelson/azure";
import { isPlainObject, messageOf, type Secret } from "@keelson/base";
import { Check } from "typebox/value";
import { errors } from "../config/errors.ts";
import {
  type HostSettings,
  hostSettingsSchema,
  type SecretValue,
  secretValueSchema,
} from "./host-settings.ts";
import { type PartSettings, partsOf } from "./part-settings.ts";
import { newestVersion } from "./secret-versions.ts";
import { splitCertificate } from "./split-certificate.ts";

export interface PrepareHostOptions {
  readonly settings: HostSettings;
  readonly vault: VaultSecrets;
  /**
   * Directory in memory, for example in /run. Each component has a subdirectory with `service.json` and the files that
   * `service.json` references.
   */
  readonly directory: string;
  readonly signal: AbortSignal;
}

/**
 * Parses the settings file of a machine.
 * @throws InvalidDeployConfiguration for settings that do not match the schema
 */
export function parseHostSettings(text: string, source: string): HostSettings {
  try {
    const settings: unknown = JSON.parse(text);
    if (Check(hostSettingsSchema, settings)) return settings;
  } catch (cause) {
    throw errors.InvalidDeployConfiguration(`${source} is not JSON: ${messageOf(cause)}`, { cause });
  }
  throw errors.InvalidDeployConfiguration(
    `${source} is no settings of a machine: take it from the cloud-init configuration of a deployment.`,
  );
}

/**
 * Writes the configuration of each component and the files that the configuration references. The configuration includes secrets
 * from the vault. Files are replaced atomically, because running components may read them at any time.
 * @throws MissingSecrets, UnusableSecret; errors of the file system and of the vault
 */
export async function prepareHost({ settings, vault, directory, signal }: PrepareHostOptions): Promise<void> {
  const secrets = new Map<string, Promise<Secret>>();
  // All components receive the same version of a secret, even if the secret is rotated during this run.
  const read = (secret: SecretValue) => {
    const key = JSON.stringify([secret.$secret, secret.version]);
    const value = secrets.get(key) ?? readSecret(vault, secret, settings.vaultUrl, signal);
    secrets.set(key, value);
    return value;
  };
  for (const part of partsOf(settings)) await preparePart(part, join(directory, part.name), read);
}

async function preparePart(
  { service, files }: PartSettings,
  directory: string,
  read: ReadSecret,
): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o750 });
  for (const file of files) {
    if ("text" in file) {
      await replace(join(directory, file.name), file.text);
      continue;
    }
    if ("content" in file) {
      await replace(join(directory, file.name), (await read(file.content)).reveal());
      continue;
    }
    const pair = splitCertificate((await read({ $secret: file.secret })).reveal(), file.secret);
    if (file.keyFile !== undefined) await replace(join(directory, file.keyFile), pair.privateKeyPem);
    await replace(join(directory, file.certificateFile), pair.certificatePem);
  }
  await replace(join(directory, "service.json"), `${JSON.stringify(await filled(service, read), null, 2)}\n`);
}

type ReadSecret = (secret: SecretValue) => Promise<Secret>;

async function filled(value: unknown, read: ReadSecret): Promise<unknown> {
  if (Check(secretValueSchema, value)) {
    const secret = (await read(value)).reveal();
    return value.in === undefined ? secret : value.in.replaceAll("{secret}", () => secret);
  }
  if (Array.isArray(value)) return Promise.all(value.map((each: unknown) => filled(each, read)));
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).map(async ([name, each]) => [name, await filled(each, read)]);
  return Object.fromEntries(await Promise.all(entries));
}

async function readSecret(
  vault: VaultSecrets,
  { $secret: name, version }: SecretValue,
  vaultUrl: string,
  signal: AbortSignal,
): Promise<Secret> {
  try {
    const wanted = version ?? (await newestVersion(vault, name, signal))?.version;
    if (wanted !== undefined) return await vault.get(name, wanted, signal);
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
  }
  throw errors.MissingSecrets(
    `The vault ${vaultUrl} has no secret ${name}${version ? ` of the version ${version}` : ""}: run keelson deploy, which makes those that it can.`,
  );
}

/** Writes a file atomically. The owner and the directory's group can read the file, regardless of this process's umask. */
async function replace(path: string, content: string): Promise<void> {
  await writeFile(`${path}.new`, content, { mode: 0o600 });
  await chmod(`${path}.new`, 0o640);
  await rename(`${path}.new`, path);
}
