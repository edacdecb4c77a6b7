import type { KubeObject } from "@keelson/apiserver";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { type Controller, done, type Result, timestamp, watchFor } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import {
  type DefaultCatalog,
  defaultCatalogs,
  marketplaceNamespace,
} from "../../apis/packages/default-catalogs.ts";
import { ensureDeleted, ensureObject, writeStatus } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { parseVersion } from "../../updates/update-graph.ts";

const hubKey: ObjectKey = { name: "cluster" };

/**
 * Simulates the marketplace operator: creates the enabled default CatalogSources and deletes the disabled ones. Other
 * CatalogSources stay unchanged.
 */
export const operatorHub: Controller<Cluster> = {
  name: "operator-hub",
  watches: [
    watchFor(resources.operatorHubs, hubKey),
    watchFor(resources.catalogSources, hubKey, {
      where: ({ object: { metadata } }) =>
        metadata.namespace === marketplaceNamespace &&
        defaultCatalogs.some(({ name }) => name === metadata.name),
    }),
  ],
  reconcile: reconcileCatalogs,
};

async function reconcileCatalogs(key: ObjectKey, { client, settings, clock }: Cluster): Promise<Result> {
  const hub = await client.find(resources.operatorHubs, key);
  if (!hub || !(await client.find(resources.namespaces, { name: marketplaceNamespace }))) return done;
  const sources = defaultCatalogs.map(({ name }) => ({
    disabled: isDisabled(hub, name),
    name,
    status: "Success",
  }));
  const { major = 4, minor = 0 } = parseVersion(settings.openShiftVersion) ?? {};
  for (const [index, catalog] of defaultCatalogs.entries()) {
    const { name } = catalog;
    if (sources[index]?.disabled)
      await ensureDeleted(client, resources.catalogSources, { namespace: marketplaceNamespace, name });
    else
      await ensureObject(
        client,
        resources.catalogSources,
        catalogSource(catalog, `v${major}.${minor}`, timestamp(clock.now())),
      );
  }
  const sorted = sources.toSorted((a, b) => a.name.localeCompare(b.name));
  await writeStatus(client, resources.operatorHubs, hub, { sources: sorted });
  return done;
}

function isDisabled(hub: KubeObject, name: string): boolean {
  const source = listAt(hub, "spec", "sources").find((each) => stringAt(each, "name") === name);
  const disabled = valueAt(source, "disabled") ?? valueAt(hub, "spec", "disableAllDefaultSources");
  return disabled === true;
}

function catalogSource(
  { name, displayName, publisher, index, priority }: DefaultCatalog,
  tag: string,
  now: string,
): KubeObject {
  return {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "CatalogSource",
    metadata: { namespace: marketplaceNamespace, name },
    spec: {
      displayName,
      grpcPodConfig: { extractContent: { cacheDir: "/tmp/cache", catalogDir: "/configs" } },
      image: `${index}:${tag}`,
      priority,
      publisher,
      sourceType: "grpc",
      updateStrategy: { registryPoll: { interval: "10m" } },
    },
    status: {
      connectionState: {
        address: `${name}.${marketplaceNamespace}.svc:50051`,
        lastConnect: now,
        lastObservedState: "READY",
      },
    },
  };
}
