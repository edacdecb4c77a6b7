const maxLabel = 63;

/**
 * Returns the digest or tag of an image reference. Default: `latest`. The port of a registry is not a tag.
 */
export function imageVersion(image: string): string {
  const [name = "", digest] = image.split("@");
  if (digest) return digest;
  const tag = /:([^:/]+)$/.exec(name);
  return tag?.[1] ?? "latest";
}

/** Returns the image with a different tag or digest. */
export function withImageVersion(image: string, version: string): string {
  const name = (image.split("@")[0] ?? "").replace(/:[^:/]*$/, "");
  return `${name}${version.includes(":") ? "@" : ":"}${version}`;
}

/**
 * Converts the version of an image to a valid label value. Digests, and tags that are too long or end with an
 * invalid character, are changed. Compare the pod's image instead of this label to find out whether an image
 * runs.
 */
export function versionLabel(image: string): string {
  return imageVersion(image)
    .replaceAll(/[^\w.-]/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, maxLabel)
    .replace(/[^A-Za-z0-9]+$/, "");
}
