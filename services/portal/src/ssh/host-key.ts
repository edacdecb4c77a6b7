import { createHash, timingSafeEqual } from "node:crypto";

/** Returns a key's fingerprint in OpenSSH format: `SHA256:` and base64 without padding. */
export function fingerprintOf(publicKeyBlob: Buffer): string {
  return `SHA256:${createHash("sha256").update(publicKeyBlob).digest("base64").replace(/=+$/, "")}`;
}

export function isRecorded(publicKeyBlob: Buffer, fingerprints: readonly string[]): boolean {
  const given = Buffer.from(fingerprintOf(publicKeyBlob));
  return fingerprints.some((each) => {
    const recorded = Buffer.from(each);
    return recorded.length === given.length && timingSafeEqual(recorded, given);
  });
}
