const known = [
  "docker.io",
  "registry.redhat.io",
  "registry.access.redhat.com",
  "quay.io",
  "registry.svc.ci.openshift.org",
];

/**
 * Returns the name of an image in the override's registry. The override may have a port and a path. In a name of the form
 * `registry/repository/image`, the override replaces the registry. Any other name is appended to the override without a change.
 */
export function inRegistry(image: string, override: string): string {
  const registry = override.replace(/\/+$/, "");
  if (registry === "" || image === registry || image.startsWith(`${registry}/`)) return image;
  const parts = image.split("/");
  if (parts.length !== 3) return `${registry}/${image}`;
  const prefix = known.find((each) => image.startsWith(`${each}/`)) ?? parts[0] ?? "";
  return `${registry}${image.slice(prefix.length)}`;
}
