import { errors } from "../registry/errors.ts";
import { formatImageReference, type ImageReference, referenceOf } from "../registry/image-reference.ts";
import type { Manifest } from "../registry/manifest.ts";
import type { Repository } from "../registry/repository.ts";
import type { BlobCopier } from "./blob-copier.ts";
import { forEachLimited } from "./for-each-limited.ts";

export interface CopyImageOptions {
  readonly image: ImageReference;
  readonly from: Repository;
  readonly to: Repository;
  readonly blobs: BlobCopier;
  /** Number of blobs of an image that are copied concurrently. */
  readonly parallelBlobs: number;
  readonly signal: AbortSignal;
}

export interface CopiedImage {
  readonly kind: "present" | "copied";
  readonly digest: string;
  /** Total size in bytes of the image's manifests and blobs. */
  readonly bytes: number;
}

const maxDepth = 3;

/**
 * Copies an image, including all platforms of its index. The manifest is copied last. If the destination has the manifest, the
 * image is therefore complete.
 * @throws the error of a component that cannot be copied
 */
export async function copyImage(options: CopyImageOptions): Promise<CopiedImage> {
  const { image, from, to, signal } = options;
  const reference = referenceOf(image);
  // An image with a tag is pushed by tag. Clients can then pull it by tag and by digest.
  const name = image.tag ?? reference;
  const [source, present] = await Promise.all([
    image.digest ?? from.findManifest(reference, signal),
    to.findManifest(name, signal),
  ]);
  if (source !== undefined && source === present) return { kind: "present", digest: source, bytes: 0 };
  const manifest = await from.manifest(source ?? reference, signal);
  const bytes = await copyParts(options, manifest, 1);
  await to.putManifest(name, manifest, signal);
  return { kind: "copied", digest: manifest.digest, bytes };
}

async function copyParts(options: CopyImageOptions, manifest: Manifest, depth: number): Promise<number> {
  const { image, from, to, blobs, parallelBlobs, signal } = options;
  if (depth > maxDepth) {
    throw errors.ManifestInvalid(
      `${formatImageReference(image)}: its indexes name one another more than ${maxDepth} deep`,
    );
  }
  let bytes = manifest.content.length;
  for (const { digest } of manifest.manifests) {
    if ((await to.findManifest(digest, signal)) === digest) continue;
    const child = await from.manifest(digest, signal);
    bytes += await copyParts(options, child, depth + 1);
    await to.putManifest(digest, child, signal);
  }
  const distinct = new Map(manifest.blobs.map((blob) => [blob.digest, blob]));
  await forEachLimited(distinct.values(), parallelBlobs, async (blob) => {
    await blobs.copy(blob, from, to, signal);
    bytes += blob.size;
  });
  return bytes;
}
