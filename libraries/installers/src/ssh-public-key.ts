import { createPublicKey } from "node:crypto";

const algorithm = "ssh-rsa";

/** The public half of an RSA key (PEM), as a line of `authorized_keys` without a comment (RFC 4253, 6.6). */
export function sshPublicKey(privateKeyPem: string): string {
  const { e = "", n = "" } = createPublicKey(privateKeyPem).export({ format: "jwk" });
  const blob = Buffer.concat([
    lengthAndBytes(Buffer.from(algorithm)),
    lengthAndBytes(multiplePrecision(e)),
    lengthAndBytes(multiplePrecision(n)),
  ]);
  return `${algorithm} ${blob.toString("base64")}`;
}

/** A positive number never begins with a set bit (RFC 4251, 5). */
function multiplePrecision(base64url: string): Buffer {
  const bytes = Buffer.from(base64url, "base64url");
  return (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
}

function lengthAndBytes(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
