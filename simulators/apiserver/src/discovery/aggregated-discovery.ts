import { subresourceOf } from "@keelson/apimachinery";
import type { ServedResource } from "../resources/served-resource.ts";
import { groupsOf, resourcesIn } from "./legacy-discovery.ts";

/** The versions of apidiscovery.k8s.io that clients ask with; they say the same. */
export type DiscoveryVersion = "v2" | "v2beta1";

/** The media type of the answers to an aggregated discovery. */
export function aggregatedContentType(mediaType: string, version: DiscoveryVersion): string {
  return `${mediaType};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
}

/** `GET /api` (core) and `GET /apis` (all other groups) in one document each (apidiscovery.k8s.io). */
export function aggregatedDiscovery(
  resources: readonly ServedResource[],
  core: boolean,
  discoveryVersion: DiscoveryVersion,
): object {
  const groups = core ? [["", [{ version: "v1" }]] as const] : groupsOf(resources);
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: `apidiscovery.k8s.io/${discoveryVersion}`,
    metadata: {},
    items: groups.map(([group, versions]) => ({
      metadata: group ? { name: group, creationTimestamp: null } : { creationTimestamp: null },
      versions: versions.map(({ version }) => ({
        version,
        resources: resourcesIn(resources, group, version).map(resourceDiscovery),
        freshness: "Current",
      })),
    })),
  };
}

function resourceDiscovery({ type }: ServedResource): object {
  const { group, version, kind, plural, singular, namespaced, verbs, shortNames, categories, subresources } =
    type;
  // Only the definition of a custom resource names its group and version here: clients complete the others.
  const own = type.origin === "custom" ? { group, version } : { group: "", version: "" };
  const scope = namespaced ? "Namespaced" : "Cluster";
  return {
    resource: plural,
    responseKind: { ...own, kind },
    scope,
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...(subresources.length > 0
      ? {
          subresources: subresources.map((name) => {
            const part = subresourceOf(type, name);
            const kindOf =
              part.version === undefined ? own : { group: part.group ?? "", version: part.version };
            return { subresource: name, responseKind: { ...kindOf, kind: part.kind }, verbs: part.verbs };
          }),
        }
      : {}),
  };
}
