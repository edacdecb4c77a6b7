const maxLabel = 63;

/** Returns the digest or tag of an image reference. Default: `latest`. A registry's port is not mistaken for a tag. */
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
 * Converts an image version to a valid label value. Long tags, digests and invalid last characters are changed, so the label is
 * not unique. Compare the pod's image, not this label, to check whether an image runs.
 */
export function versionLabel(image: string): string {
  return imageVersion(image)
    .replaceAll(/[^\w.-]/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, maxLabel)
    .replace(/[^A-Za-z0-9]+$/, "");
}
