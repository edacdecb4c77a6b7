import { listAt, stringAt, valueAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

/** Registries that the catalogues need if no registry override is set. */
const required = ["registry.redhat.io", "quay.io"];

/**
 * True if Image `cluster` allows a registry for imagestreams. The registry may have a port and a path. An empty string stands for
 * all registries that the catalogues need.
 */
export function isRegistryAllowed(image: KubeObject | undefined, registry: string): boolean {
  const imports = listAt(image, "spec", "allowedRegistriesForImport");
  const texts = (name: string) =>
    listAt(image, "spec", "registrySources", name).filter((each): each is string => typeof each === "string");
  const [allowed, blocked] = [texts("allowedRegistries"), texts("blockedRegistries")];
  const isImported = (name: string) => imports.some((each) => allowsImport(each, name));
  const isListed = (list: readonly string[], name: string) => list.some((each) => covers(each, name));
  const needed = registry === "" ? required : [registry];
  return (
    (imports.length === 0 || needed.every(isImported)) &&
    (allowed.length === 0 || needed.every((each) => isListed(allowed, each))) &&
    // If no registry override is set, blocked registries are accepted, because the operator can skip the samples from these
    // registries.
    (registry === "" || !isListed(blocked, registry))
  );
}

/** True if Image `cluster` blocks a registry. The operator checks this only at its first start. */
export function isRegistryBlocked(image: KubeObject | undefined, registry: string): boolean {
  return !isRegistryAllowed(image, registry);
}

/**
 * True if an entry of `allowedRegistriesForImport` allows a registry. Like the API server, it compares host and port, adds
 * default ports and supports `*.`. Like OpenShift's Go operator, it accepts `redhat.io` for `registry.redhat.io`.
 */
function allowsImport(entry: unknown, registry: string): boolean {
  const domain = stringAt(entry, "domainName")?.trim() ?? "";
  if (domain === "") return false;
  const usual = valueAt(entry, "insecure") === true ? "80" : "443";
  const withPort = (host: string) => (/:\d+$/.test(host) ? host : `${host}:${usual}`);
  const [host = ""] = registry.split("/");
  const [allowed, wanted] = [withPort(domain), withPort(host)];
  if (domain.startsWith("*.") && wanted.endsWith(allowed.slice(1))) return true;
  return wanted === allowed || host.endsWith(domain);
}

/**
 * True if an entry of `registrySources` matches a registry. The entry is a host with an optional port and path, or a host that
 * starts with `*.`. An entry without a port matches all ports. An entry with a path matches all repositories below the path.
 */
function covers(entry: string, registry: string): boolean {
  const listed = entry.trim();
  const [host = "", ...path] = registry.split("/");
  const [name = ""] = host.split(":");
  if (listed.startsWith("*.")) return name.endsWith(listed.slice(1));
  return [host, name].some((each) => `${[each, ...path].join("/")}/`.startsWith(`${listed}/`));
}
