import { generateKeyPair } from "node:crypto";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const name = "bound-service-account-signing-key";

/**
 * Generates the key pair that signs service account tokens, unless the directory contains one.
 * @throws Error if the directory contains only one of the two keys
 */
export async function ensureSigningKeyPair(directory: string): Promise<void> {
  const [publicFile, privateFile] = [join(directory, `${name}.pub`), join(directory, `${name}.key`)];
  const [hasPublic, hasPrivate] = [existsSync(publicFile), existsSync(privateFile)];
  if (hasPublic && hasPrivate) return;
  if (hasPrivate) throw new Error(`${privateFile} was supplied, but the matching public key is missing`);
  if (hasPublic) throw new Error(`${publicFile} was supplied, but the matching private key is missing`);
  const { publicKey, privateKey } = await promisify(generateKeyPair)("rsa", {
    modulusLength: 4096,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  // The public key is written last. After a crash, the directory may therefore have only the private key, but never only the
  // public key.
  await writeFile(privateFile, privateKey, { mode: 0o600 });
  await writeFile(publicFile, publicKey, { mode: 0o644 });
}
