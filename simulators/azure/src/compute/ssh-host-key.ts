import { createECDH, createHash, createPrivateKey } from "node:crypto";
import type { ResourceRecord } from "../arm/resource.ts";

/** SSH host key of a machine. Real machines generate it at the first boot. */
export interface SshHostKey {
  /** Private key, PEM. */
  readonly privateKeyPem: string;
  /** Fingerprint as printed on the serial console: `SHA256:` and base64 without padding. */
  readonly fingerprint: string;
}

const curve = "nistp256";

/**
 * Returns a machine's SSH host key. The key is derived from the machine's ID and creation time. A later machine with this name
 * therefore has a different key.
 */
export function sshHostKeyOf({ id, createdAt }: ResourceRecord): SshHostKey {
  const seed = createHash("sha256")
    .update(JSON.stringify(["ssh host key", id.toLowerCase(), createdAt]))
    .digest();
  const ecdh = createECDH("prime256v1");
  ecdh.setPrivateKey(seed);
  const point = ecdh.getPublicKey();
  const part = (from: number) => point.subarray(from, from + 32).toString("base64url");
  const jwk = { kty: "EC", crv: "P-256", d: seed.toString("base64url"), x: part(1), y: part(33) };
  const blob = Buffer.concat([`ecdsa-sha2-${curve}`, curve, point].map(prefixed));
  return {
    privateKeyPem: createPrivateKey({ key: jwk, format: "jwk" })
      .export({ type: "sec1", format: "pem" })
      .toString(),
    fingerprint: `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`,
  };
}

/** Prefixes data with its length in four bytes (RFC 4251, section 5). */
function prefixed(part: string | Buffer): Buffer {
  const bytes = Buffer.from(part);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
