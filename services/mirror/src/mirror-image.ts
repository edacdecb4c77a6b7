import { isCoded, messageOf } from "@keelson/base";
import type { BlobCopier } from "./copy/blob-copier.ts";
import { copyImage } from "./copy/copy-image.ts";
import type { MirrorOptions } from "./mirror-options.ts";
import type { Registries } from "./registries.ts";
import {
  formatImageReference,
  type ImageReference,
  inRegistry,
  referenceOf,
} from "./registry/image-reference.ts";
import { isNotFound } from "./registry/registry.ts";
import type { ImageResult } from "./report.ts";
import { signatureTag } from "./signatures/cosign.ts";
import { assertSigned } from "./signatures/signature-policy.ts";

export interface MirrorImageContext {
  readonly options: MirrorOptions;
  readonly registries: Registries;
  /** Undefined in a dry run, which copies no blobs. */
  readonly blobs: BlobCopier | undefined;
  readonly warn: (text: string) => void;
}

/** Copies one image and its signatures, if any. A failure is returned in the result. Only an abort is thrown. */
export async function mirrorImage(image: ImageReference, context: MirrorImageContext): Promise<ImageResult> {
  const { destination, signal } = context.options;
  const result = {
    source: formatImageReference(image),
    destination: formatImageReference(inRegistry(image, destination)),
  };
  try {
    return {
      ...result,
      ...(await (context.blobs ? copy(image, context, context.blobs) : examine(image, context))),
    };
  } catch (error) {
    signal.throwIfAborted();
    return { ...result, status: "failed", bytes: 0, error: describeError(error) };
  }
}

/** Returns the code and message of an error, for reports. */
export function describeError(error: unknown): { readonly code: string; readonly message: string } {
  return { code: isCoded(error) ? error.code : "Unexpected", message: messageOf(error) };
}

type Outcome = Pick<ImageResult, "status" | "bytes">;

async function copy(image: ImageReference, context: MirrorImageContext, blobs: BlobCopier): Promise<Outcome> {
  const { options, registries } = context;
  const { destination, limits, signal } = options;
  const from = registries.repository(image, "pull");
  const to = registries.repository(inRegistry(image, destination), "pull,push");
  // Resolves the tag only once. The copied image is therefore the image with the verified signature.
  const digest = image.digest ?? (await from.manifest(referenceOf(image), signal)).digest;
  await assertSigned(digest, from, options.signatures, options.clock, signal);
  const { parallelBlobs } = limits;
  const copied = await copyImage({ image: { ...image, digest }, from, to, blobs, parallelBlobs, signal });
  await copySignatures({ ...image, digest }, context, blobs);
  return { status: copied.kind, bytes: copied.bytes };
}

/**
 * Copies an image's signatures. Signatures are optional, so a failure is only a warning. Clusters verify the signatures if the
 * cluster's policy requires it.
 */
async function copySignatures(
  image: ImageReference & { readonly digest: string },
  context: MirrorImageContext,
  blobs: BlobCopier,
): Promise<void> {
  const { options, registries, warn } = context;
  const { destination, limits, signal } = options;
  const { registry, repository, digest } = image;
  const signatures: ImageReference = { registry, repository, tag: signatureTag(digest) };
  const from = registries.repository(signatures, "pull");
  const to = registries.repository(inRegistry(signatures, destination), "pull,push");
  try {
    await copyImage({ image: signatures, from, to, blobs, parallelBlobs: limits.parallelBlobs, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (!isNotFound(error))
      warn(`the signatures of ${formatImageReference(image)} were not copied: ${messageOf(error)}`);
  }
}

async function examine(image: ImageReference, { options, registries }: MirrorImageContext): Promise<Outcome> {
  const { destination, signal } = options;
  const from = registries.repository(image, "pull");
  const to = registries.repository(inRegistry(image, destination), "pull");
  const manifest = await from.manifest(referenceOf(image), signal);
  await assertSigned(manifest.digest, from, options.signatures, options.clock, signal);
  if ((await to.findManifest(referenceOf(image), signal)) === manifest.digest)
    return { status: "present", bytes: 0 };
  let bytes = manifest.content.length;
  for (const { digest } of manifest.manifests) {
    const child = await from.manifest(digest, signal);
    bytes += child.content.length + child.blobs.reduce((sum, { size }) => sum + size, 0);
  }
  return { status: "missing", bytes: bytes + manifest.blobs.reduce((sum, { size }) => sum + size, 0) };
}
