import { randomBytes } from "node:crypto";
import type { WritableVaultSecrets } from "@keelson/azure";
import { Secret } from "@keelson/base";
import { errors } from "../errors.ts";
import { secretNames } from "../host/service-settings.ts";
import { serviceVaultName } from "../templates/names.ts";
import type { DeployContext } from "./context.ts";
import { retryWhilePropagating } from "./retry-while-propagating.ts";
import { newestVersion } from "./secret-versions.ts";

export interface DeployedSecrets {
  readonly vaultUrl: string;
  /** The version of the key of skip tokens that machines of this deployment use. */
  readonly skipTokenVersion: string;
  /** Only where the documents are in PostgreSQL. */
  readonly databasePassword?: Secret;
}

const day = 86_400_000;
const rotatedAfterMs = 7 * day;

/** 32 bytes in base64, as the service reads its keys. */
const newKey = () => new Secret(randomBytes(32).toString("base64"));

/** Safe in a URL, with letters of both cases and digits, as Azure Database for PostgreSQL requires. */
const newPassword = () => new Secret(`Aa1-${randomBytes(32).toString("base64url")}`);

/**
 * Makes the secrets that can be made, rotates keys whose newest version is older than seven days, and requires those
 * that the operator of the region provides. Old versions stay: documents are sealed with them.
 * @throws MissingSecrets
 */
export async function ensureSecrets(context: DeployContext): Promise<DeployedSecrets> {
  const { region, cloud, connectVault, report } = context;
  const vaultName = String(serviceVaultName(region.configuration.keyvaultPrefix));
  const vaultUrl = cloud.vaultUrl(vaultName);
  const vault = connectVault(vaultUrl);
  report({ phase: "secrets", kind: "state", text: `secrets of ${vaultName}` });
  await ensure(context, vault, secretNames.encryption, newKey, rotatedAfterMs);
  const skipTokenVersion = await ensure(context, vault, secretNames.skipToken, newKey, rotatedAfterMs);
  await requireProvidedSecrets(context, vault, vaultName);
  if (region.configuration.databaseKind !== "postgres") return { vaultUrl, skipTokenVersion };
  const version = await ensure(context, vault, secretNames.databasePassword, newPassword);
  const databasePassword = await vault.get(secretNames.databasePassword, version, context.signal);
  return { vaultUrl, skipTokenVersion, databasePassword };
}

/** The ID of the newest version, which is made when absent or too old. */
async function ensure(
  context: DeployContext,
  vault: WritableVaultSecrets,
  name: string,
  make: () => Secret,
  maxAgeMs = Number.POSITIVE_INFINITY,
): Promise<string> {
  const { clock, signal, report } = context;
  return retryWhilePropagating(async () => {
    const newest = await newestVersion(vault, name, signal);
    if (newest && clock.now().getTime() - newest.createdAt.getTime() <= maxAgeMs) return newest.version;
    const version = await vault.add(name, make(), signal);
    report({ phase: "secrets", kind: "fact", text: `${name} ${newest ? "has a new version" : "was made"}` });
    return version;
  }, context);
}

/** Secrets that the operator of the region provides, each with the command for it. */
const providedSecrets: Readonly<Record<string, (vault: string) => string>> = {
  [secretNames.server]: (vault) =>
    `the certificate of the service's address, with its key, as application/x-pem-file (az keyvault certificate import --vault-name ${vault} --name ${secretNames.server} --file FILE.pem)`,
  [secretNames.firstParty]: (vault) =>
    `the secret of the service's application (az keyvault secret set --vault-name ${vault} --name ${secretNames.firstParty} --file FILE)`,
};

async function requireProvidedSecrets(
  context: DeployContext,
  vault: WritableVaultSecrets,
  vaultName: string,
): Promise<void> {
  const missing: string[] = [];
  const files = Object.values(context.region.configuration.serviceFiles ?? {});
  for (const name of new Set([...Object.keys(providedSecrets), ...files])) {
    const found = await retryWhilePropagating(() => newestVersion(vault, name, context.signal), context);
    if (!found) missing.push(name);
  }
  if (missing.length === 0) return;
  const ways = missing.map(
    (name) => `${name}, ${providedSecrets[name]?.(vaultName) ?? "which serviceFiles names"}`,
  );
  throw errors.MissingSecrets(
    `The vault ${vaultName} lacks what only you can give: ${ways.join("; ")}. Then run keelson deploy again: it goes on where it was.`,
  );
}
