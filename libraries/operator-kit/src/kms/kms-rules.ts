import type { KmsCiphertext, KmsStatus } from "./kms-client.ts";

const versions: readonly string[] = ["v2", "v2beta1"];
const maxKeyIdBytes = 1_024;
const maxCiphertextBytes = 1_024;
const maxAnnotationsBytes = 32 * 1_024;
const domain = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/;

/** Returns the reason why API servers would reject a plugin with the given status. Undefined if they would accept the plugin. */
export function statusProblem({ version, healthz, keyId }: KmsStatus): string | undefined {
  if (healthz !== "ok") return `it is not healthy: ${healthz === "" ? "it says nothing" : healthz}`;
  if (!versions.includes(version)) return `it speaks version ${JSON.stringify(version)}, not v2`;
  return keyIdProblem(keyId);
}

/** Returns the reason why API servers would reject the given encryption result. Undefined if they would accept the result. */
export function ciphertextProblem({ ciphertext, keyId, annotations }: KmsCiphertext): string | undefined {
  if (ciphertext.length === 0) return "it encrypts to nothing";
  if (ciphertext.length > maxCiphertextBytes)
    return `it encrypts to ${ciphertext.length} bytes, more than ${maxCiphertextBytes}`;
  const entries = Object.entries(annotations);
  const wrong = entries.find(([name]) => !domain.test(name));
  if (wrong) return `its annotation ${JSON.stringify(wrong[0])} is not a domain name`;
  const bytes = entries.reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + value.length, 0);
  if (bytes > maxAnnotationsBytes)
    return `its annotations have ${bytes} bytes, more than ${maxAnnotationsBytes}`;
  return keyIdProblem(keyId);
}

function keyIdProblem(keyId: string): string | undefined {
  if (keyId === "") return "it names no key";
  const bytes = Buffer.byteLength(keyId);
  return bytes > maxKeyIdBytes
    ? `its name of the key has ${bytes} bytes, more than ${maxKeyIdBytes}`
    : undefined;
}
