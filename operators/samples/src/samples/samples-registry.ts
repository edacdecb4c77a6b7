const known = [
  "docker.io",
  "registry.redhat.io",
  "registry.access.redhat.com",
  "quay.io",
  "registry.svc.ci.openshift.org",
];

/**
 * Returns the name of an image in the override's registry, which may have a port and a path. In `registry/repository/image`, the
 * override replaces the registry. Any other name is appended to the override completely.
 */
export function inRegistry(image: string, override: string): string {
  const registry = override.replace(/\/+$/, "");
  if (registry === "" || image === registry || image.startsWith(`${registry}/`)) return image;
  const parts = image.split("/");
  if (parts.length !== 3) return `${registry}/${image}`;
  const prefix = known.find((each) => image.startsWith(`${each}/`)) ?? parts[0] ?? "";
  return `${registry}${image.slice(prefix.length)}`;
}
