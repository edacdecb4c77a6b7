const known = [
  "docker.io",
  "registry.redhat.io",
  "registry.access.redhat.com",
  "quay.io",
  "registry.svc.ci.openshift.org",
];

/**
 * Name of an image in the registry of an override, which may have a port and a path.
 * `registry/repository/image` loses its registry. Other names are appended to the override completely.
 */
export function inRegistry(image: string, override: string): string {
  const registry = override.replace(/\/+$/, "");
  if (registry === "" || image === registry || image.startsWith(`${registry}/`)) return image;
  const parts = image.split("/");
  if (parts.length !== 3) return `${registry}/${image}`;
  const prefix = known.find((each) => image.startsWith(`${each}/`)) ?? parts[0] ?? "";
  return `${registry}${image.slice(prefix.length)}`;
}
