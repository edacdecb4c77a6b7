import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { statusOf, type VaultSecrets } from "@keelson/azure";
import { isPlainObject, messageOf, type Secret } from "@keelson/base";
import { Check } from "typebox/value";
import { errors } from "../errors.ts";
import { newestVersion } from "../flow/secret-versions.ts";
import {
  type HostSettings,
  hostSettingsSchema,
  type SecretValue,
  secretValueSchema,
} from "./host-settings.ts";
import { splitCertificate } from "./split-certificate.ts";

export interface PrepareHostOptions {
  readonly settings: HostSettings;
  readonly vault: VaultSecrets;
  /** Where `service.json` and the files that it names go; in memory, as /run. */
  readonly directory: string;
  readonly signal: AbortSignal;
}

/** @throws InvalidDeployConfiguration when they do not match the schema */
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
 * Writes the service's configuration, its secrets taken from the vault, and the certificates that it names. Every file
 * is whole at any time, so that a service which runs may read it again.
 * @throws MissingSecrets, UnusableSecret; errors of the file system and of the vault
 */
export async function prepareHost({ settings, vault, directory, signal }: PrepareHostOptions): Promise<void> {
  const read = (secret: SecretValue) => readSecret(vault, secret, settings.vaultUrl, signal);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const file of settings.files) {
    if ("text" in file) {
      await replace(join(directory, file.name), file.text);
      continue;
    }
    if ("content" in file) {
      await replace(join(directory, file.name), (await read(file.content)).reveal());
      continue;
    }
    const pair = splitCertificate((await read({ $secret: file.secret })).reveal(), file.secret);
    await replace(join(directory, file.keyFile), pair.privateKeyPem);
    await replace(join(directory, file.certificateFile), pair.certificatePem);
  }
  const service = await filled(settings.service, read);
  await replace(join(directory, "service.json"), `${JSON.stringify(service, null, 2)}\n`);
}

async function filled(value: unknown, read: (secret: SecretValue) => Promise<Secret>): Promise<unknown> {
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

/** Readable by the owner only: contains keys and passwords. */
async function replace(path: string, content: string): Promise<void> {
  await writeFile(`${path}.new`, content, { mode: 0o600 });
  await rename(`${path}.new`, path);
}
