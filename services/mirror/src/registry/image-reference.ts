import { isDigest } from "./digest.ts";
import { errors } from "./errors.ts";

/** An image in a registry. With a digest, that says which one; the tag is then a name only. */
export interface ImageReference {
  /** Host, with a port where it is not 443. */
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
 * An image with its registry; a name without tag and digest is that of `latest`, as everywhere.
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

/** The same image in another registry: only the host differs. */
export function inRegistry(image: ImageReference, registry: string): ImageReference {
  return { ...image, registry };
}

/** What a registry's API is asked for: the digest where there is one. */
export function referenceOf({ tag, digest }: ImageReference): string {
  return digest ?? tag ?? "latest";
}
