import { createECDH, createHash, createPrivateKey } from "node:crypto";
import type { ResourceRecord } from "../arm/resource.ts";

/** Host key of a machine's SSH server, which it generated at its first boot. */
export interface SshHostKey {
  /** PEM. */
  readonly privateKeyPem: string;
  /** Fingerprint as in the serial console: `SHA256:` and base64 without padding. */
  readonly fingerprint: string;
}

const curve = "nistp256";

/** Host key of a machine. It is deterministic, and differs for a later machine with the same name. */
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

/** Prefixes a length of four bytes (RFC 4251, section 5). */
function prefixed(part: string | Buffer): Buffer {
  const bytes = Buffer.from(part);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
