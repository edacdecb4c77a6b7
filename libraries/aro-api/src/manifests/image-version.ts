const maxLabel = 63;

/** Returns the digest or tag of an image reference. Default: `latest`. The port of a registry does not count as a tag. */
export function imageVersion(image: string): string {
  const [name = "", digest] = image.split("@");
  if (digest) return digest;
  const tag = /:([^:/]+)$/.exec(name);
  return tag?.[1] ?? "latest";
}

/** Returns the image reference with `version` as its tag or digest. */
export function withImageVersion(image: string, version: string): string {
  const name = (image.split("@")[0] ?? "").replace(/:[^:/]*$/, "");
  return `${name}${version.includes(":") ? "@" : ":"}${version}`;
}

/**
 * Converts an image version to a valid label value. Long tags, digests and invalid last characters are changed, so different
 * versions may have the same label. To check whether an image runs, compare the pod's image and not this label.
 */
export function versionLabel(image: string): string {
  return imageVersion(image)
    .replaceAll(/[^\w.-]/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, maxLabel)
    .replace(/[^A-Za-z0-9]+$/, "");
}
