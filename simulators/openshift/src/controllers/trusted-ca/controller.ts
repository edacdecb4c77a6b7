import type { KubeObject } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";
import { type Controller, done, keyOf, type Result, watchMapped } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { bundleMember, isInjected } from "./injected-bundle.ts";

const userNamespace = "openshift-config";

/** Injects the cluster's additional trusted CAs into annotated ConfigMaps, like the network operator. */
export const trustedCa: Controller<Cluster> = {
  name: "trusted-ca",
  watches: [
    watchMapped(resources.configMaps, (object, cluster: Cluster) =>
      isInjected(object) ? [keyOf(object)] : keysOfUserBundle(object, cluster),
    ),
    watchMapped(resources.proxies, (_proxy, cluster: Cluster) => injected(cluster)),
  ],
  reconcile: inject,
};

function injected({ cache }: Cluster): readonly ObjectKey[] {
  return cache.informer(resources.configMaps).list().filter(isInjected).map(keyOf);
}

function keysOfUserBundle({ metadata }: KubeObject, cluster: Cluster): readonly ObjectKey[] {
  if (metadata.namespace !== userNamespace) return [];
  const proxy = cluster.cache.informer(resources.proxies).get({ name: "cluster" });
  return stringAt(proxy, "spec", "trustedCA", "name") === metadata.name ? injected(cluster) : [];
}

async function inject(key: ObjectKey, { client, azure }: Cluster): Promise<Result> {
  const found = await client.find(resources.configMaps, key);
  if (!found || !isInjected(found) || found.metadata.deletionTimestamp) return done;
  const proxy = await client.find(resources.proxies, { name: "cluster" });
  const name = stringAt(proxy, "spec", "trustedCA", "name");
  const user = name ? await client.find(resources.configMaps, { namespace: userNamespace, name }) : undefined;
  const bundle = [azure.caPem, stringAt(user, "data", bundleMember)]
    .flatMap((pem) => (pem ? [`${pem.trimEnd()}\n`] : []))
    .join("");
  if (bundle === "" || stringAt(found, "data", bundleMember) === bundle) return done;
  await client.mergePatch(resources.configMaps, found.metadata, { data: { [bundleMember]: bundle } });
  return done;
}
