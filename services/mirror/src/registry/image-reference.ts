import { isDigest } from "./digest.ts";
import { errors } from "./errors.ts";

/** Image in a registry. If it has a digest, the digest identifies it, and the tag is only a label. */
export interface ImageReference {
  /** Host, with a port other than 443. */
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
 * Parses an image with its registry. A name without tag and digest means `latest`, as usual.
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

/** Returns the same image in a different registry. Only the host changes. */
export function inRegistry(image: ImageReference, registry: string): ImageReference {
  return { ...image, registry };
}

/** Returns the reference for a registry's API: the digest, if present. */
export function referenceOf({ tag, digest }: ImageReference): string {
  return digest ?? tag ?? "latest";
}
