const known = [
  "docker.io",
  "registry.redhat.io",
  "registry.access.redhat.com",
  "quay.io",
  "registry.svc.ci.openshift.org",
];

/**
 * The name of an image in the registry of an override, which may have a port and a path. Names of `registry/repository/image` lose
 * their registry; all others are put below the override whole.
 */
export function inRegistry(image: string, override: string): string {
  const registry = override.replace(/\/+$/, "");
  if (registry === "" || image === registry || image.startsWith(`${registry}/`)) return image;
  const parts = image.split("/");
  if (parts.length !== 3) return `${registry}/${image}`;
  const prefix = known.find((each) => image.startsWith(`${each}/`)) ?? parts[0] ?? "";
  return `${registry}${image.slice(prefix.length)}`;
}
