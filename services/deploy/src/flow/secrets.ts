import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { WritableVaultSecrets } from "@keelson/azure";
import { opensshPublicKey, Secret } from "@keelson/base";
import type { Region } from "../config/configuration.ts";
import { errors } from "../config/errors.ts";
import { type PortalSecrets, portalHost, portalSecretNames } from "../host/portal-settings.ts";
import { enabledVersions, newestVersion, sealingOrder } from "../host/secret-versions.ts";
import { hasPortal, secretNames } from "../host/service-settings.ts";
import { serviceVaultName } from "../template/names.ts";
import type { DeployContext } from "./context.ts";
import { retryWhilePropagating } from "./retry-while-propagating.ts";

export interface DeployedSecrets {
  readonly vaultUrl: string;
  /** Version of the skip token key on this deployment's machines. */
  readonly skipTokenVersion: string;
  /** Undefined if the region does not use PostgreSQL. */
  readonly databasePassword?: Secret;
  /** Undefined if the region has no portal. */
  readonly portal?: PortalSecrets;
}

const day = 86_400_000;
const rotatedAfterMs = 7 * day;

/** Returns a new key: 32 bytes in base64, the format that the service reads. */
const newKey = () => new Secret(randomBytes(32).toString("base64"));

/** Returns a new URL-safe password. Azure Database for PostgreSQL requires upper case, lower case and digits. */
const newPassword = () => new Secret(`Aa1-${randomBytes(32).toString("base64url")}`);

/**
 * Creates missing secrets and rotates keys older than seven days. Checks that the secrets provided by the region's operator
 * exist. Old key versions remain, because existing documents are encrypted with them.
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
  const portal = hasPortal(region) ? { portal: await ensurePortalSecrets(context, vault) } : {};
  if (region.configuration.databaseKind !== "postgres") return { vaultUrl, skipTokenVersion, ...portal };
  const version = await ensure(context, vault, secretNames.databasePassword, newPassword);
  const databasePassword = await vault.get(secretNames.databasePassword, version, context.signal);
  return { vaultUrl, skipTokenVersion, databasePassword, ...portal };
}

/**
 * Creates or reads the portal's secrets.
 * @throws UnusableSecret if the existing host key is invalid
 */
async function ensurePortalSecrets(
  context: DeployContext,
  vault: WritableVaultSecrets,
): Promise<PortalSecrets> {
  const { sessionKey, sshKey } = portalSecretNames;
  await ensure(context, vault, sessionKey, newKey, rotatedAfterMs);
  const versions = await enabledVersions(vault, sessionKey, context.signal);
  const sshKeyVersion = await ensure(context, vault, sshKey, newHostKey);
  const privateKey = await vault.get(sshKey, sshKeyVersion, context.signal);
  return {
    sessionKeyVersions: sealingOrder(versions.map(({ version }) => version)),
    sshKeyVersion,
    sshHostKey: hostKeyLine(privateKey),
  };
}

function newHostKey(): Secret {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return new Secret(privateKey.export({ type: "pkcs8", format: "pem" }).toString());
}

function hostKeyLine(privateKey: Secret): string {
  try {
    return opensshPublicKey(privateKey.reveal());
  } catch {
    throw errors.UnusableSecret(
      `The secret ${portalSecretNames.sshKey} holds no RSA or ECDSA private key in PEM: put one there, or disable its versions to have one made.`,
    );
  }
}

/**
 * Returns the ID of the newest version of a secret. Creates a version if the secret has none or the newest version is too old.
 */
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

/** Returns the secrets that the region's operator must provide, each with the command that sets it. */
function providedSecrets(region: Region, vault: string): ReadonlyMap<string, string> {
  const certificate = (name: string, what: string): readonly [string, string] => [
    name,
    `${what}, with its key, as application/x-pem-file (az keyvault certificate import --vault-name ${vault} --name ${name} --file FILE.pem)`,
  ];
  const { firstParty, server } = secretNames;
  const files = Object.values(region.configuration.serviceFiles ?? {});
  const own = new Map([
    certificate(server, "the certificate of the service's address"),
    [
      firstParty,
      `the secret of the service's application (az keyvault secret set --vault-name ${vault} --name ${firstParty} --file FILE)`,
    ],
    ...(hasPortal(region)
      ? [
          certificate(
            portalSecretNames.server,
            `the certificate of the portal's address ${portalHost(region)}`,
          ),
          certificate(portalSecretNames.client, "the certificate of the portal's application"),
        ]
      : []),
  ]);
  for (const name of files) if (!own.has(name)) own.set(name, "which serviceFiles names");
  return own;
}

async function requireProvidedSecrets(
  context: DeployContext,
  vault: WritableVaultSecrets,
  vaultName: string,
): Promise<void> {
  const missing: string[] = [];
  for (const [name, way] of providedSecrets(context.region, vaultName)) {
    const found = await retryWhilePropagating(() => newestVersion(vault, name, context.signal), context);
    if (!found) missing.push(`${name}, ${way}`);
  }
  if (missing.length === 0) return;
  throw errors.MissingSecrets(
    `The vault ${vaultName} lacks secrets that only you can provide:\n${missing.map((each) => `  ${each}\n`).join("")}Then run keelson deploy again. It resumes at this step.`,
  );
}
