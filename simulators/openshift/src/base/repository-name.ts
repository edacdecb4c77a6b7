/**
 * Returns the last component of an image's repository, for example `tool` for `registry.example.com:5000/a/tool:v1`. Takes linear
 * time, because clients control the image.
 */
export function repositoryName(image: string): string {
  const tagged = withoutDigest(image);
  const component = tagged.slice(tagged.lastIndexOf("/") + 1);
  const tagAt = component.indexOf(":");
  return tagAt < 0 ? component : component.slice(0, tagAt);
}

/** Removes the digest of an image. */
export function withoutDigest(image: string): string {
  const at = image.indexOf("@");
  return at < 0 ? image : image.slice(0, at);
}
