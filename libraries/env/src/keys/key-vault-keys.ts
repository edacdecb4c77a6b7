import { aadstsCode, statusOf, type VaultSecrets, type VaultSecretVersion } from "@keelson/azure";
import { type Clock, defineErrors, messageOf } from "@keelson/base";
import type { KeySource } from "@keelson/database";
import { keyBytes } from "./key-faults.ts";

const vaultErrors = defineErrors({
  /** The vault did not respond, rejected the request, or does not contain the secret. */
  KeyVaultUnavailable: { retry: "backoff" },
  /** The secret does not contain a set of keys. */
  UnusableVaultKey: { retry: "never" },
});

export interface KeyVaultKeysOptions {
  readonly vault: VaultSecrets;
  /** URL of the vault in error messages. */
  readonly url: string;
  readonly secretName: string;
  /**
   * Age in ms at which a new version of the secret becomes the current key. By then, all processes have read the version and can
   * decrypt with it.
   */
  readonly settleMs: number;
  readonly clock: Clock;
}

/**
 * Returns a key source that reads a vault secret. Each enabled version of the secret is a key of 32 bytes in base64. The key's ID
 * is the value of the version's tag `keyId`, or the ID of the version if it has no such tag. The current key is the newest
 * version that is older than `settleMs` and has reached its `notBefore`. Each version is fetched only once. `read` throws
 * KeyVaultUnavailable and UnusableVaultKey. Error messages do not contain keys.
 */
export function keyVaultKeys({ vault, url, secretName, settleMs, clock }: KeyVaultKeysOptions): KeySource {
  const name = `secret ${secretName} of the key vault ${url}`;
  let known: ReadonlyMap<string, Uint8Array> = new Map();

  async function fetchKey({ version }: VaultSecretVersion, signal: AbortSignal): Promise<Uint8Array> {
    const value = await vault.get(secretName, version, signal);
    const key = Buffer.from(value.reveal(), "base64");
    if (key.byteLength === keyBytes) return key;
    throw vaultErrors.UnusableVaultKey(
      `Version ${version} of the ${name} is not ${keyBytes} bytes in base64: disable it, and add one that ` +
        "`openssl rand -base64 32` made.",
    );
  }

  async function readEnabled(signal: AbortSignal): Promise<readonly VaultSecretVersion[]> {
    const versions = await vault.listVersions(secretName, signal);
    const enabled = versions.filter((each) => each.enabled);
    const keys = enabled.map(async (each): Promise<[string, Uint8Array]> => {
      return [each.version, known.get(each.version) ?? (await fetchKey(each, signal))];
    });
    known = new Map(await Promise.all(keys));
    return enabled;
  }

  return {
    name,
    async read(signal) {
      const enabled = await readEnabled(signal).catch((error: unknown) => {
        signal.throwIfAborted();
        throw explained(error, name);
      });
      const current = currentOf(enabled, clock.now().getTime(), settleMs);
      if (!current) {
        throw vaultErrors.UnusableVaultKey(
          `The ${name} has no enabled version: add one that \`openssl rand -base64 32\` made, or enable one.`,
        );
      }
      const keys = new Map(enabled.map((each) => [idOf(each), known.get(each.version) ?? new Uint8Array()]));
      if (keys.size < enabled.length) {
        throw vaultErrors.UnusableVaultKey(
          `Two enabled versions of the ${name} have the same tag keyId: change one.`,
        );
      }
      return { current: idOf(current), keys: Object.fromEntries(keys) };
    },
  };
}

function idOf({ tags, version }: VaultSecretVersion): string {
  return tags.keyId ?? version;
}

/**
 * Returns the current version. Versions that were created in the same second are ordered by ID, so that all processes select the
 * same version.
 */
function currentOf(
  versions: readonly VaultSecretVersion[],
  nowMs: number,
  settleMs: number,
): VaultSecretVersion | undefined {
  const byAge = versions.toSorted(
    (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.version < b.version ? -1 : 1),
  );
  const begun = byAge.filter(({ notBefore }) => (notBefore?.getTime() ?? 0) <= nowMs);
  return begun.findLast(({ createdAt }) => createdAt.getTime() + settleMs <= nowMs) ?? begun[0] ?? byAge[0];
}

function explained(error: unknown, name: string): unknown {
  if (error instanceof Error && error.name === "UnusableVaultKey") return error;
  return vaultErrors.KeyVaultUnavailable(
    `The encryption keys cannot be read from the ${name}: ${firstLine(error)}. ${remedyFor(error)}`,
    { cause: error },
  );
}

/** Returns the first line of an Entra ID error, without the trace IDs after it. */
function firstLine(error: unknown): string {
  return (messageOf(error).split(/\s*[\r\n]|\s+Trace ID:/)[0] ?? "").replace(/\.$/, "");
}

function remedyFor(error: unknown): string {
  if (aadstsCode(error) !== undefined)
    return "Check firstParty: the application's ID and its secret or certificate.";
  const status = statusOf(error);
  if (status === 401 || status === 403) {
    return "Let the service's application list and get secrets of the vault: the role Key Vault Secrets User.";
  }
  if (status === 404) {
    return "Make the secret with a value that `openssl rand -base64 32` made, or set encryption.keyVault.secretName.";
  }
  return "Check encryption.keyVault.url, and that the vault can be reached from here and its firewall lets this address in.";
}
