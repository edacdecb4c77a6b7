import { createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";

const curves: Readonly<Record<string, string>> = {
  "P-256": "nistp256",
  "P-384": "nistp384",
  "P-521": "nistp521",
};

/**
 * Formats an RSA or ECDSA public key as a line of `authorized_keys` without a comment (RFC 4253, 6.6; RFC 5656, 3.1). A private
 * key is converted to its public key.
 * @throws RangeError for other key types; errors of node:crypto for an invalid PEM string
 */
export function opensshPublicKey(key: KeyObject | string): string {
  const publicKey = typeof key !== "string" && key.type === "public" ? key : createPublicKey(key);
  const { algorithm, parts } = partsOf(publicKey.export({ format: "jwk" }));
  return `${algorithm} ${Buffer.concat([algorithm, ...parts].map(lengthAndBytes)).toString("base64")}`;
}

function partsOf({ kty, crv = "", e = "", n = "", x = "", y = "" }: JsonWebKey) {
  if (kty === "RSA") return { algorithm: "ssh-rsa", parts: [positive(e), positive(n)] };
  const curve = curves[crv];
  if (curve === undefined) throw new RangeError("the key is neither RSA nor ECDSA on a curve of NIST");
  // Uncompressed elliptic curve point: a byte 4, then x and y.
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  return { algorithm: `ecdsa-sha2-${curve}`, parts: [curve, point] };
}

/** Encodes a positive number. A leading zero byte is added if the first bit is set (RFC 4251, 5). */
function positive(base64url: string): Buffer {
  const bytes = Buffer.from(base64url, "base64url");
  return (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
}

function lengthAndBytes(part: string | Buffer): Buffer {
  const bytes = Buffer.from(part);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
