import { createHash } from "node:crypto";
import { issueCertificate, type KeyPair } from "@keelson/base";
import { keepPair, type LocalAuthority } from "./local-authority.ts";

/** Secrets that the service shares with ARO's installer. */
export interface InstallerSecrets {
  /** 64 bytes in base64. */
  readonly graphKey: string;
  /** Certificate of the service's application in Entra ID. RSA: ARO's installer reads no other keys. */
  readonly firstParty: KeyPair;
  /** Certificate of the clusters' log agents. */
  readonly clusterLogging: KeyPair;
}

/** Reads the certificates from the state directory, and creates missing and expiring ones. @throws StateUnreadable */
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

/** Values of the service's vault by the names that ARO's installer reads. */
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
    // Key of graphs of earlier installers: 32 bytes.
    "encryption-key": createHash("sha256").update(graphKey).digest("base64"),
  };
}
