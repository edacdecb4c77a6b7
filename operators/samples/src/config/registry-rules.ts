import { listAt, stringAt, valueAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

/** The registries of the catalogues that a cluster needs when no override is set. */
const required = ["registry.redhat.io", "quay.io"];

/**
 * Whether Image `cluster` lets imagestreams use a registry, which may have a port and a path; all that the catalogues need when it is
 * empty.
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
    // What the catalogues need is not blocked as a whole: some of it can be skipped.
    (registry === "" || !isListed(blocked, registry))
  );
}

/** Whether Image `cluster` keeps a cluster from a registry by name, as it is asked when the operator first starts. */
export function isRegistryBlocked(image: KubeObject | undefined, registry: string): boolean {
  return !isRegistryAllowed(image, registry);
}

/**
 * Whether an entry of `allowedRegistriesForImport` lets images of a registry in: as the API server has it, which compares host and
 * port with the usual one of its protocol filled in, and knows `*.`; and as the original has it, to which `redhat.io` is
 * `registry.redhat.io`, too.
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
 * Whether an entry of `registrySources` means a registry: it is a host, perhaps with a port and a path, or a host with `*.` in front.
 * Without a port it means all, and what is below its path.
 */
function covers(entry: string, registry: string): boolean {
  const listed = entry.trim();
  const [host = "", ...path] = registry.split("/");
  const [name = ""] = host.split(":");
  if (listed.startsWith("*.")) return name.endsWith(listed.slice(1));
  return [host, name].some((each) => `${[each, ...path].join("/")}/`.startsWith(`${listed}/`));
}
