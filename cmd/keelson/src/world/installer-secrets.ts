import { createHash } from "node:crypto";
import { issueCertificate, type KeyPair } from "@keelson/base";
import { keepPair, type LocalAuthority } from "./local-authority.ts";

/** Secrets that the service shares with ARO's installer. */
export interface InstallerSecrets {
  /** Encryption key for the asset graphs of the installer: 64 bytes in base64. */
  readonly graphKey: string;
  /** Certificate of the service's application in Entra ID. It uses RSA, because ARO's installer supports no other key type. */
  readonly firstParty: KeyPair;
  /** Certificate of the clusters' log agents. */
  readonly clusterLogging: KeyPair;
}

/**
 * Reads the certificates from the state directory. Creates missing certificates and replaces expiring ones.
 * @throws StateUnreadable
 */
export async function loadOrCreateInstallerSecrets(
  directory: string,
  { authority }: LocalAuthority,
  graphKey: string,
): Promise<InstallerSecrets> {
  const pair = (name: string) =>
    keepPair(directory, name, authority, () =>
      issueCertificate(authority, {
        commonName: `${name}.localhost`,
        usage: "client",
        validDays: 397,
        keyType: "rsa",
      }),
    );
  return {
    graphKey,
    firstParty: await pair("first-party"),
    clusterLogging: await pair("cluster-logging"),
  };
}

/** Returns the secrets of the service's key vault, by the names that ARO's installer uses. */
export function vaultValues({
  graphKey,
  firstParty,
  clusterLogging,
}: InstallerSecrets): Readonly<Record<string, string>> {
  const pemOf = (pair: KeyPair) => pair.privateKeyPem + pair.certificatePem;
  return {
    "rp-firstparty": pemOf(firstParty),
    "cluster-mdsd": pemOf(clusterLogging),
    "encryption-key-v2": graphKey,
    // Encryption key for earlier installer versions, which use a key of 32 bytes.
    "encryption-key": createHash("sha256").update(graphKey).digest("base64"),
  };
}
