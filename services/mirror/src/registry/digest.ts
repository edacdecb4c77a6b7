import { createHash } from "node:crypto";

const hexDigits: Readonly<Record<string, number>> = { sha256: 64, sha512: 128 };

/** True for a digest with a supported algorithm. */
export function isDigest(text: string): boolean {
  const [, algorithm = "", hex = ""] = /^(sha256|sha512):([0-9a-f]+)$/.exec(text) ?? [];
  return hexDigits[algorithm] === hex.length;
}

/** Returns the digest of `content` with the algorithm of `digest`. */
export function digestLike(digest: string, content: Uint8Array): string {
  const algorithm = digest.startsWith("sha512:") ? "sha512" : "sha256";
  return `${algorithm}:${createHash(algorithm).update(content).digest("hex")}`;
}

export function digestOf(content: Uint8Array): string {
  return digestLike("sha256:", content);
}
