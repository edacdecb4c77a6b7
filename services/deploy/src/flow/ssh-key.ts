import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";

/**
 * A public key in OpenSSH's form whose private half nobody has: Azure wants a key for machines that nobody shall sign in
 * to.
 */
export async function unusedSshKey(): Promise<string> {
  const { publicKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2_048 });
  const { e = "", n = "" } = publicKey.export({ format: "jwk" });
  const parts = [Buffer.from("ssh-rsa"), integer(e), integer(n)].flatMap((part) => [lengthOf(part), part]);
  return `ssh-rsa ${Buffer.concat(parts).toString("base64")}`;
}

/** Positive: a first bit that is set would say otherwise. */
function integer(base64url: string): Buffer {
  const bytes = Buffer.from(base64url, "base64url");
  return (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
}

function lengthOf(part: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(part.byteLength);
  return length;
}
