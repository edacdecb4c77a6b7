import { type KubeObject, listAt, textAt } from "@keelson/kube";

/** The registries of the catalogues that a cluster needs when no override is set. */
const required = ["registry.redhat.io", "quay.io"];

/**
 * Whether Image `cluster` lets imagestreams use a registry, which may have a port and a path; all that the catalogues need when it is
 * empty.
 */
export function isRegistryAllowed(image: KubeObject | undefined, registry: string): boolean {
  const domains = listAt(image, "spec", "allowedRegistriesForImport").map(
    (each) => textAt(each, "domainName") ?? "",
  );
  const texts = (name: string) =>
    listAt(image, "spec", "registrySources", name).filter((each): each is string => typeof each === "string");
  const [allowed, blocked] = [texts("allowedRegistries"), texts("blockedRegistries")];
  const host = registry.split("/")[0] ?? "";
  if (host === "") {
    const imported =
      domains.length === 0 ||
      (domains.some((each) => matches(each, "quay.io")) &&
        domains.some((each) => each === "redhat.io" || matches(each, "registry.redhat.io")));
    const pulled =
      allowed.length === 0 || required.every((each) => allowed.some((one) => matches(one, each)));
    return imported && pulled;
  }
  return (
    (domains.length === 0 || domains.some((each) => matches(each, host) || host.endsWith(each))) &&
    (allowed.length === 0 || allowed.some((each) => matches(each, host))) &&
    !blocked.some((each) => matches(each, host))
  );
}

/** Whether Image `cluster` keeps a cluster from a registry by name, as it is asked when the operator first starts. */
export function isRegistryBlocked(image: KubeObject | undefined, registry: string): boolean {
  return !isRegistryAllowed(image, registry);
}

/** A registry as the lists have it: a host, perhaps with a port, a path, or `*.` in front. */
function matches(entry: string, host: string): boolean {
  const [listed = ""] = entry.trim().split("/");
  const [name = "", port] = host.split(":");
  if (listed.startsWith("*.")) return name.endsWith(listed.slice(1));
  return listed === host || (port !== undefined && listed === name);
}
