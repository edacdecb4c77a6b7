import type { AggregatedResource, KubeObject, ResourceCall } from "@keelson/apiserver";
import { numberAt, stringAt } from "@keelson/base";
import { resources } from "../../base/resources.ts";
import type { ApiContext } from "../api-context.ts";
import { ageColumn, textColumn } from "../columns.ts";
import { failures } from "../failures.ts";
import { type CatalogPackage, packagesOfIndex } from "./catalog-packages.ts";
import { marketplaceNamespace } from "./default-catalogs.ts";

export const packagesGroup = "packages.operators.coreos.com";
const plural = "packagemanifests";

/**
 * PackageManifests: the packages of the namespace's catalogues and of the catalogues for all namespaces. Source:
 * operator-framework/operator-lifecycle-manager `pkg/package-server`.
 */
export function packageManifestResource({ client }: ApiContext): AggregatedResource {
  const list = async ({ namespace }: Pick<ResourceCall, "namespace">) => {
    const { items, resourceVersion } = await client.list(resources.catalogSources);
    const visible = items.filter(
      ({ metadata }) =>
        namespace === undefined || [namespace, marketplaceNamespace].includes(metadata.namespace ?? ""),
    );
    const manifests = visible
      .toSorted((a, b) => (numberAt(b, "spec", "priority") ?? 0) - (numberAt(a, "spec", "priority") ?? 0))
      .flatMap((source) => packagesOf(source).map((each) => manifestOf(source, each, namespace)));
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
        const found = (await list(call)).items.find(({ metadata }) => metadata.name === call.name);
        if (!found) throw failures.notFound({ group: packagesGroup, resource: plural }, call.name);
        return found;
      },
    },
  };
}

/** Returns the packages in the index image of a CatalogSource. The content of other images is unknown. */
function packagesOf(source: KubeObject): readonly CatalogPackage[] {
  const image = (stringAt(source, "spec", "image") ?? "").replace(/@.*$/, "");
  const repository = image.slice(image.lastIndexOf("/") + 1).replace(/:.*$/, "");
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
      catalogSourceDisplayName: stringAt(spec, "displayName") ?? "",
      catalogSourceNamespace: metadata.namespace,
      catalogSourcePublisher: stringAt(spec, "publisher") ?? "",
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
