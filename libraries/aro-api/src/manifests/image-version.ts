const maxLabel = 63;

/** The digest or tag of an image reference; `latest` for one without either. The port of a registry is no tag. */
export function imageVersion(image: string): string {
  const [name = "", digest] = image.split("@");
  if (digest) return digest;
  const tag = /:([^:/]+)$/.exec(name);
  return tag?.[1] ?? "latest";
}

/** The same image with another tag or digest. */
export function withImageVersion(image: string, version: string): string {
  const name = (image.split("@")[0] ?? "").replace(/:[^:/]*$/, "");
  return `${name}${version.includes(":") ? "@" : ":"}${version}`;
}

/**
 * The version of an image as the value of a label: a digest, and tags that are longer than labels may be or end
 * otherwise, are brought into that form. Whether an image runs is said by the pod's image, not by this.
 */
export function versionLabel(image: string): string {
  return imageVersion(image)
    .replaceAll(/[^\w.-]/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, maxLabel)
    .replace(/[^A-Za-z0-9]+$/, "");
}
