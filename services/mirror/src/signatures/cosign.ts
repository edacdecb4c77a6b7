import { type KeyObject, verify } from "node:crypto";
import { errors } from "../registry/errors.ts";
import type { Descriptor, Manifest } from "../registry/manifest.ts";
import { isNotFound } from "../registry/registry.ts";
import type { Repository } from "../registry/repository.ts";
import { parseSignedClaim } from "./signed-claim.ts";

const claimType = "application/vnd.dev.cosign.simplesigning.v1+json";
const annotation = "dev.cosignproject.cosign/signature";
const maxSignatures = 50;
const maxClaimBytes = 64 * 1024;

/** Returns the tag under which cosign stores the signatures of an image: `sha256-HEX.sig` in the image's repository. */
export function signatureTag(digest: string): string {
  return `${digest.replace(":", "-")}.sig`;
}

/**
 * Verifies that one of the keys has signed the image.
 * @throws SignatureMissing; SignatureInvalid with the problem of each signature
 */
export async function verifyCosign(
  digest: string,
  repository: Repository,
  keys: readonly KeyObject[],
  signal: AbortSignal,
): Promise<void> {
  const image = `${repository.registry.host}/${repository.name}@${digest}`;
  const faults: string[] = [];
  for (const layer of (await signaturesOf(digest, image, repository, signal)).slice(0, maxSignatures)) {
    const fault = await faultOf(layer, digest, repository, keys, signal);
    if (fault === undefined) return;
    faults.push(fault);
  }
  throw errors.SignatureInvalid(
    `no cosign signature of ${image} is good: ${faults.join("; ") || "there is none in its manifest"}`,
  );
}

async function signaturesOf(
  digest: string,
  image: string,
  repository: Repository,
  signal: AbortSignal,
): Promise<readonly Descriptor[]> {
  let manifest: Manifest;
  try {
    manifest = await repository.manifest(signatureTag(digest), signal);
  } catch (error) {
    if (isNotFound(error))
      throw errors.SignatureMissing(`${image} has no cosign signature, and must have one`);
    throw error;
  }
  return manifest.layers.filter(({ mediaType }) => mediaType === claimType);
}

async function faultOf(
  layer: Descriptor,
  digest: string,
  repository: Repository,
  keys: readonly KeyObject[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const signature = Buffer.from(layer.annotations[annotation] ?? "", "base64");
  if (signature.length === 0) return "one has no signature";
  const content = await repository.blob(layer.digest, maxClaimBytes, signal);
  if (!keys.some((key) => isSignedBy(content, signature, key)))
    return "one is by none of the configured keys";
  const claim = parseSignedClaim(content);
  if (claim?.digest !== digest) return `one is of another image, ${claim?.digest ?? "of unknown digest"}`;
  return undefined;
}

function isSignedBy(content: Buffer, signature: Buffer, key: KeyObject): boolean {
  const algorithm = key.asymmetricKeyType === "ed25519" ? undefined : "sha256";
  try {
    return verify(algorithm, content, key, signature);
  } catch {
    return false;
  }
}
