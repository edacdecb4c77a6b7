import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";

/**
 * A public key in OpenSSH's format whose private key is discarded: Azure requires a key, and no sign-in to the machines is
 * intended.
 */
export async function unusedSshKey(): Promise<string> {
  const { publicKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2_048 });
  const { e = "", n = "" } = publicKey.export({ format: "jwk" });
  const parts = [Buffer.from("ssh-rsa"), integer(e), integer(n)].flatMap((part) => [lengthOf(part), part]);
  return `ssh-rsa ${Buffer.concat(parts).toString("base64")}`;
}

/** A leading zero byte keeps the number positive when its first bit is set. */
function integer(base64url: string): Buffer {
  const bytes = Buffer.from(base64url, "base64url");
  return (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
}

function lengthOf(part: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(part.byteLength);
  return length;
}
