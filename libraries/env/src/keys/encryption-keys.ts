import type { VaultSecrets } from "@keelson/azure";
import type { Clock, Logger } from "@keelson/base";
import { type KeySource, keyFile, parseKeySet, RefreshedKeyring } from "@keelson/database";
import type { ServiceConfig } from "../config/service-config.ts";
import { readConfigFile } from "../files/config-files.ts";
import { keyVaultKeys } from "./key-vault-keys.ts";

export interface EncryptionDeps {
  /** Connects to a key vault as the service's application. */
  readonly connectVault: (vaultUrl: string, audience: string) => VaultSecrets;
  /** Returns the current inline keys of the configuration. Default: the initial keys. */
  readonly encryptionNow?: () => ServiceConfig["encryption"];
  readonly onReading: (outcome: "read" | "failed") => void;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Number of polls of the key vault after which a new version becomes the current key. By then, every process has read the new
 * version, even if one of its polls failed.
 */
const pollsToSettle = 2;

/**
 * Opens the configured encryption keys. They are inline in the configuration, or in a file or key vault, and can change at run
 * time.
 * @throws InvalidConfiguration, InvalidKey, KeyVaultUnavailable, UnusableVaultKey
 */
export function openKeyring(
  encryption: ServiceConfig["encryption"],
  { connectVault, encryptionNow = () => encryption, ...deps }: EncryptionDeps,
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
  return RefreshedKeyring.open({ ...deps, source: written(encryptionNow), everyMs: writtenRefreshMs });
}

/** Interval in ms at which inline keys are checked for changes. The configuration is read again every 10 s. */
const writtenRefreshMs = 10_000;

function written(encryptionNow: () => ServiceConfig["encryption"]): KeySource {
  return {
    name: "the configuration",
    read: async () => parseKeySet(JSON.stringify(encryptionNow()), "encryption"),
  };
}
