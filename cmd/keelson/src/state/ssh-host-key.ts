import { generateKeyPairSync } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { opensshPublicKey } from "@keelson/base";
import { writeFileAtomically } from "./atomic-file.ts";

export const sshHostKeyFiles = { private: "ssh-host-key.pem", public: "ssh-host-key.pub" } as const;

/** Creates the host key of the portal's SSH server if it does not exist. ECDSA with P-256. */
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
  const line = `${opensshPublicKey(readFileSync(path, "utf8"))}\n`;
  writeFileAtomically(join(directory, sshHostKeyFiles.public), line, 0o644);
}
