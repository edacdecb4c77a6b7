import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { opensshPublicKey } from "@keelson/base";

/**
 * Returns a public key in OpenSSH format. Its private key is discarded. Azure requires a key, but operators do
 * not sign in to the machines.
 */
export async function unusedSshKey(): Promise<string> {
  const { publicKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2_048 });
  return opensshPublicKey(publicKey);
}
