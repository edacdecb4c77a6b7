import { subresourceOf } from "@keelson/apimachinery";
import type { ServedResource } from "../resources/served-resource.ts";
import { groupsOf, resourcesIn } from "./legacy-discovery.ts";

/** Requested version of apidiscovery.k8s.io. The content is the same in both versions. */
export type DiscoveryVersion = "v2" | "v2beta1";

/** Returns the media type of an aggregated discovery response. */
export function aggregatedContentType(mediaType: string, version: DiscoveryVersion): string {
  return `${mediaType};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
}

/**
 * Returns an aggregated discovery document (apidiscovery.k8s.io). The document of `GET /api` contains the core group, and the
 * document of `GET /apis` contains all other groups.
 */
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
  // Only custom resources have the group and version in `responseKind`. Clients infer them for other resources.
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
