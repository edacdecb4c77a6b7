import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { opensshPublicKey } from "@keelson/base";

/**
 * Generates an SSH key pair and returns only the public key in OpenSSH format. Azure requires a key for each machine, but
 * operators do not sign in to the machines.
 */
export async function unusedSshKey(): Promise<string> {
  const { publicKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2_048 });
  return opensshPublicKey(publicKey);
}
