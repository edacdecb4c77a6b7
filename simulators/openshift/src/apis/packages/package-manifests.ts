import { type AggregatedResource, type KubeObject, type ResourceCall, sharedTurns } from "@keelson/apiserver";
import { numberAt, stringAt } from "@keelson/base";
import { repositoryName } from "../../base/repository-name.ts";
import { resources } from "../../base/resources.ts";
import type { ApiContext } from "../api-context.ts";
import { ageColumn, textColumn } from "../columns.ts";
import { failures } from "../failures.ts";
import { type CatalogPackage, packagesOfIndex } from "./catalog-packages.ts";
import { marketplaceNamespace } from "./default-catalogs.ts";

export const packagesGroup = "packages.operators.coreos.com";
const plural = "packagemanifests";

/**
 * Maximum number of CatalogSources that are read in the marketplace namespace, and also in the requested namespaces. Each
 * CatalogSource results in up to 24 PackageManifests.
 */
const maxCatalogs = 50;
/** Maximum length of copied text. A CatalogSource can contain text of any length. */
const maxTextLength = 256;
/** Number of CatalogSources that are converted before other work of the event loop can run. */
const atATime = 10;

/**
 * PackageManifests: the packages of the namespace's catalogues and of the catalogues for all namespaces. Source:
 * operator-framework/operator-lifecycle-manager `pkg/package-server`.
 */
export function packageManifestResource({ client }: ApiContext): AggregatedResource {
  /** Returns the visible catalogues by descending priority. */
  const catalogs = async ({ namespace }: Pick<ResourceCall, "namespace">) => {
    const read = (within: string | undefined) =>
      client.list(resources.catalogSources, { namespace: within, limit: maxCatalogs });
    const shared = await read(marketplaceNamespace);
    if (namespace === marketplaceNamespace) return { ...shared, items: byPriority(shared.items) };
    const { items, resourceVersion } = await read(namespace);
    const own = items.filter(({ metadata }) => metadata.namespace !== marketplaceNamespace);
    return { items: byPriority([...shared.items, ...own]), resourceVersion };
  };
  const list = async (call: Pick<ResourceCall, "namespace">) => {
    const { items, resourceVersion } = await catalogs(call);
    const manifests: KubeObject[] = [];
    for (const [at, source] of items.entries()) {
      if (at % atATime === atATime - 1) await sharedTurns.wait(client);
      for (const each of packagesOf(source)) manifests.push(manifestOf(source, each, call.namespace));
    }
    return { items: manifests, resourceVersion };
  };
  return {
    group: packagesGroup,
    version: "v1",
    kind: "PackageManifest",
    plural,
    namespaced: true,
    columns: [textColumn("Catalog", ".status.catalogSourceDisplayName"), ageColumn],
    handlers: {
      list,
      get: async (call) => {
        for (const source of (await catalogs(call)).items) {
          const found = packagesOf(source).find(({ name }) => name === call.name);
          if (found) return manifestOf(source, found, call.namespace);
        }
        throw failures.notFound({ group: packagesGroup, resource: plural }, call.name);
      },
    },
  };
}

function byPriority(sources: readonly KubeObject[]): readonly KubeObject[] {
  const priority = (source: KubeObject) => numberAt(source, "spec", "priority") ?? 0;
  return sources.toSorted((a, b) => priority(b) - priority(a));
}

/** Returns the packages in the index image of a CatalogSource. The content of other images is unknown. */
function packagesOf(source: KubeObject): readonly CatalogPackage[] {
  const repository = repositoryName(stringAt(source, "spec", "image") ?? "");
  return Object.hasOwn(packagesOfIndex, repository) ? (packagesOfIndex[repository] ?? []) : [];
}

/** Returns a package as an object of the requested namespace, because clients expect the namespace of their request. */
function manifestOf(
  { metadata, spec }: KubeObject,
  { name, displayName, provider, channel, version }: CatalogPackage,
  namespace = metadata.namespace ?? "",
): KubeObject {
  const currentCSV = `${name}.v${version}`;
  return {
    apiVersion: `${packagesGroup}/v1`,
    kind: "PackageManifest",
    metadata: {
      name,
      namespace,
      creationTimestamp: metadata.creationTimestamp ?? "",
      labels: {
        catalog: metadata.name,
        "catalog-namespace": metadata.namespace ?? "",
        "operatorframework.io/arch.amd64": "supported",
        "operatorframework.io/os.linux": "supported",
        provider: provider.replaceAll(" ", "-"),
      },
    },
    spec: {},
    status: {
      catalogSource: metadata.name,
      catalogSourceDisplayName: textAt(spec, "displayName"),
      catalogSourceNamespace: metadata.namespace,
      catalogSourcePublisher: textAt(spec, "publisher"),
      channels: [
        {
          name: channel,
          currentCSV,
          currentCSVDesc: {
            displayName,
            version,
            provider: { name: provider },
            installModes: ["OwnNamespace", "SingleNamespace", "MultiNamespace", "AllNamespaces"].map(
              (type) => ({ type, supported: type !== "MultiNamespace" }),
            ),
          },
          entries: [{ name: currentCSV, version }],
        },
      ],
      defaultChannel: channel,
      packageName: name,
      provider: { name: provider },
    },
  };
}

function textAt(spec: unknown, field: string): string {
  return (stringAt(spec, field) ?? "").slice(0, maxTextLength);
}
