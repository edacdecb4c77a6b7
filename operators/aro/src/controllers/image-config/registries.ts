import type { ClusterSpec } from "@keelson/aro-api";
import { valueAt } from "@keelson/base";

const suffixes: Readonly<Record<string, string>> = {
  AzurePublicCloud: "azurecr.io",
  AzureUSGovernmentCloud: "azurecr.us",
};

/**
 * Returns the registries that contain the service's images: the service's registry and its data endpoint in the region. The
 * result is empty if the service has no registry.
 * @throws Error if the Cluster lacks a required field
 */
export function serviceRegistries({
  acrDomain = "",
  azEnvironment = "",
  location,
}: ClusterSpec): readonly string[] {
  const [name] = acrDomain.split(".");
  if (!name) return [];
  const suffix = Object.hasOwn(suffixes, azEnvironment) ? suffixes[azEnvironment] : undefined;
  if (suffix === undefined)
    throw new Error(
      `spec.azEnvironment of the Cluster is '${azEnvironment}': ${Object.keys(suffixes).join(" and ")} are known`,
    );
  if (!location) throw new Error("spec.location of the Cluster is empty");
  return [acrDomain, `${name}.${location}.data.${suffix}`];
}

export interface RegistrySources {
  readonly allowedRegistries?: readonly unknown[];
  readonly blockedRegistries?: readonly unknown[];
}

/**
 * Returns the image lists that must change so that nodes can pull from the required registries. Required registries are added to
 * the allowed registries and removed from the blocked registries. A list that already permits all required registries stays
 * unchanged.
 * @throws Error if the Image has both lists
 */
export function planRegistrySources(sources: unknown, required: readonly string[]): RegistrySources {
  const allowed = listOf(sources, "allowedRegistries");
  const blocked = listOf(sources, "blockedRegistries");
  if (allowed && blocked) throw new Error("both AllowedRegistries and BlockedRegistries are present");
  const isRequired = (entry: unknown) => required.some((registry) => isSame(entry, registry));
  const others = (list: readonly unknown[]) => list.filter((entry) => !isRequired(entry));
  if (allowed) {
    const found = allowed.filter(isRequired);
    const isRight =
      found.length === required.length && required.every((registry) => found.includes(registry));
    return isRight ? {} : { allowedRegistries: [...others(allowed), ...required] };
  }
  return blocked?.some(isRequired) ? { blockedRegistries: others(blocked) } : {};
}

/** Returns a list of registries, or `undefined` if the list is missing. An empty list is different from a missing list. */
function listOf(sources: unknown, name: string): readonly unknown[] | undefined {
  const value = valueAt(sources, name);
  return Array.isArray(value) ? value : undefined;
}

function isSame(entry: unknown, registry: string): boolean {
  return typeof entry === "string" && entry.toLowerCase() === registry.toLowerCase();
}
