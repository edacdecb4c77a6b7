import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomically } from "./atomic-file.ts";

export const sshHostKeyFiles = { private: "ssh-host-key.pem", public: "ssh-host-key.pub" } as const;

/** The host key of the portal's SSH server: made once for a state directory, ECDSA on P-256. */
export function ensureSshHostKey(directory: string): void {
  const path = join(directory, sshHostKeyFiles.private);
  if (!existsSync(path)) {
    const { privateKey } = generateKeyPairSync("ec", {
      namedCurve: "P-256",
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
    });
    writeFileAtomically(path, privateKey, 0o600);
  }
  const line = `${publicLine(readFileSync(path, "utf8"))}\n`;
  writeFileAtomically(join(directory, sshHostKeyFiles.public), line, 0o644);
}

/** RFC 5656, 3.1. */
function publicLine(privateKeyPem: string): string {
  const { x = "", y = "" } = createPublicKey(privateKeyPem).export({ format: "jwk" });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  const type = "ecdsa-sha2-nistp256";
  const blob = Buffer.concat([type, "nistp256", point].map(prefixed));
  return `${type} ${blob.toString("base64")}`;
}

function prefixed(part: string | Buffer): Buffer {
  const bytes = Buffer.from(part);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
