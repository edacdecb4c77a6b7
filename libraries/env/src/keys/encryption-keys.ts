import type { VaultSecrets } from "@keelson/azure";
import type { Clock, Logger } from "@keelson/base";
import { type KeySource, keyFile, parseKeySet, RefreshedKeyring } from "@keelson/database";
import type { ServiceConfig } from "../config/service-config.ts";
import { readConfigFile } from "../files/config-files.ts";
import { keyVaultKeys } from "./key-vault-keys.ts";

export interface EncryptionDeps {
  /** Connects with the service's own application. */
  readonly connectVault: (vaultUrl: string, audience: string) => VaultSecrets;
  readonly onReading: (outcome: "read" | "failed") => void;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** A new version encrypts once every process has read it, even after one failed poll. */
const pollsToSettle = 2;

/**
 * Opens the configured keys: those in the configuration, or those of a file or a key vault, which can change
 * at run time.
 * @throws InvalidConfiguration, InvalidKey, KeyVaultUnavailable, UnusableVaultKey
 */
export function openKeyring(
  encryption: ServiceConfig["encryption"],
  { connectVault, ...deps }: EncryptionDeps,
): Promise<RefreshedKeyring> {
  if ("keysFile" in encryption) {
    const { keysFile, refreshMs } = encryption;
    readConfigFile("encryption.keysFile", keysFile);
    return RefreshedKeyring.open({ ...deps, source: keyFile(keysFile), everyMs: refreshMs });
  }
  if ("keyVault" in encryption) {
    const { keyVault, refreshMs } = encryption;
    const { url, secretName, audience } = keyVault;
    const vault = connectVault(url, audience);
    const settleMs = pollsToSettle * refreshMs;
    const source = keyVaultKeys({ vault, url, secretName, settleMs, clock: deps.clock });
    return RefreshedKeyring.open({ ...deps, source, everyMs: refreshMs });
  }
  return RefreshedKeyring.open({ ...deps, source: written(encryption), everyMs: unchangingMs });
}

/** Keys in the configuration cannot change: the file is read only at start. */
const unchangingMs = 86_400_000;

function written(encryption: {
  readonly current: string;
  readonly keys: Readonly<Record<string, string>>;
}): KeySource {
  const set = parseKeySet(JSON.stringify(encryption), "encryption");
  return { name: "the configuration", read: async () => set };
}
