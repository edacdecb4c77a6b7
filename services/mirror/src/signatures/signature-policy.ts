import { createPublicKey, type KeyObject } from "node:crypto";
import type { Clock } from "@keelson/base";
import type { Repository } from "../registry/repository.ts";
import { verifyCosign } from "./cosign.ts";
import { type ReleaseKeyring, verifyReleaseSignature } from "./release-signature.ts";

/** Repositories with the signatures that are required for their images. */
export interface SignatureRule {
  /** Repositories as `registry/repository`. `registry/path/*` matches all repositories below a path. */
  readonly repositories: readonly string[];
  /** Public keys for cosign signatures. Each image needs a signature by at least one of these keys. */
  readonly cosignKeys?: readonly KeyObject[];
  readonly releaseKeyring?: ReleaseKeyring;
}

/** Parses a public key. @throws Error of Node.js for an invalid public key */
export function parseCosignKey(pem: string): KeyObject {
  return createPublicKey(pem);
}

/** Verifies the image against all rules for its repository. @throws SignatureMissing, SignatureInvalid */
export async function assertSigned(
  digest: string,
  repository: Repository,
  rules: readonly SignatureRule[],
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const name = `${repository.registry.host}/${repository.name}`;
  for (const { repositories, cosignKeys, releaseKeyring } of rules) {
    if (!repositories.some((pattern) => covers(pattern, name))) continue;
    if (cosignKeys) await verifyCosign(digest, repository, cosignKeys, signal);
    if (releaseKeyring) await verifyReleaseSignature(digest, releaseKeyring, clock, signal);
  }
}

function covers(pattern: string, name: string): boolean {
  return pattern.endsWith("/*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
