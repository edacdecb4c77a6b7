import { isDigest } from "./digest.ts";
import { errors } from "./errors.ts";

/** Image in a registry. If the reference has a digest, the digest identifies the image, and the tag is only a label. */
export interface ImageReference {
  /** Host of the registry. Includes the port unless the port is 443. */
  readonly registry: string;
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
}

const component = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
const host =
  "(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\\.)*[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?::[0-9]{1,5})?";
const whole = new RegExp(
  `^(${host})/(${component}(?:/${component})*)(?::([\\w][\\w.-]{0,127}))?(?:@([^@]{1,200}))?$`,
);
const maxLength = 512;

/**
 * Parses an image reference that includes a registry. Without a tag and a digest, the tag is `latest`.
 * @throws InvalidReference
 */
export function parseImageReference(text: string): ImageReference {
  const match = text.length <= maxLength ? whole.exec(text) : null;
  const [, registry, repository, tag, digest] = match ?? [];
  if (!registry || !repository || (digest !== undefined && !isDigest(digest))) {
    throw errors.InvalidReference(
      `${JSON.stringify(text.slice(0, maxLength))} is no image: expected REGISTRY/REPOSITORY[:TAG][@DIGEST]`,
    );
  }
  if (digest) return { registry, repository, ...(tag ? { tag } : {}), digest };
  return { registry, repository, tag: tag ?? "latest" };
}

export function formatImageReference({ registry, repository, tag, digest }: ImageReference): string {
  return `${registry}/${repository}${tag ? `:${tag}` : ""}${digest ? `@${digest}` : ""}`;
}

/** Returns a reference to this image in a different registry. */
export function inRegistry(image: ImageReference, registry: string): ImageReference {
  return { ...image, registry };
}

/** Returns the digest, or the tag if there is no digest. Registry APIs accept both. */
export function referenceOf({ tag, digest }: ImageReference): string {
  return digest ?? tag ?? "latest";
}
