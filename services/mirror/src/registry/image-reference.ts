import { isDigest } from "./digest.ts";
import { errors } from "./errors.ts";

/** Image in a registry. The digest, if present, identifies the image. The tag is then only a label. */
export interface ImageReference {
  /** Registry host, with its port if that is not 443. */
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
 * Parses an image reference that includes a registry. `latest` is used if tag and digest are missing.
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

/** Returns the reference of the same image in a different registry. */
export function inRegistry(image: ImageReference, registry: string): ImageReference {
  return { ...image, registry };
}

/** Returns the digest, or the tag if there is no digest. Registry APIs accept both. */
export function referenceOf({ tag, digest }: ImageReference): string {
  return digest ?? tag ?? "latest";
}
