import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { opensshPublicKey } from "@keelson/base";

/**
 * A public key in OpenSSH's format whose private key is discarded: Azure requires a key, and no sign-in to the machines is
 * intended.
 */
export async function unusedSshKey(): Promise<string> {
  const { publicKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2_048 });
  return opensshPublicKey(publicKey);
}
