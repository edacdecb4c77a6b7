import type { KubeObject } from "@keelson/apiserver";
import type { Cluster } from "../../runtime/cluster.ts";
import { type Controller, keyOf, parseKey, settled } from "../../runtime/controller.ts";
import { textAt } from "../../runtime/fields.ts";
import { resources } from "../../runtime/resources.ts";
import type { Outcome } from "../../runtime/work-queue.ts";

const label = "config.openshift.io/inject-trusted-cabundle";
const bundleMember = "ca-bundle.crt";
const userNamespace = "openshift-config";

/** The network operator's part: authorities that a cluster trusts outside of itself, for ConfigMaps that ask for them. */
export const trustedCa: Controller = {
  name: "trusted-ca",
  watches: [
    {
      on: "objects",
      resource: resources.configMaps,
      keys: (object, cluster) => (isInjected(object) ? [keyOf(object)] : keysOfUserBundle(object, cluster)),
    },
    { on: "objects", resource: resources.proxies, keys: (_proxy, cluster) => keysOfInjected(cluster) },
  ],
  reconcile: inject,
};

function isInjected({ metadata }: KubeObject): boolean {
  return metadata.labels?.[label] === "true";
}

async function keysOfInjected({ client }: Cluster): Promise<readonly string[]> {
  return (await client.list(resources.configMaps, { labelSelector: `${label}=true` })).items.map(keyOf);
}

async function keysOfUserBundle({ metadata }: KubeObject, cluster: Cluster): Promise<readonly string[]> {
  if (metadata.namespace !== userNamespace) return [];
  const proxy = await cluster.client.find(resources.proxies, { name: "cluster" });
  return textAt(proxy, "spec", "trustedCA", "name") === metadata.name ? keysOfInjected(cluster) : [];
}

async function inject(key: string, { client, settings }: Cluster): Promise<Outcome> {
  const found = await client.find(resources.configMaps, parseKey(key));
  if (!found || !isInjected(found) || found.metadata.deletionTimestamp) return settled;
  const proxy = await client.find(resources.proxies, { name: "cluster" });
  const name = textAt(proxy, "spec", "trustedCA", "name");
  const user = name ? await client.find(resources.configMaps, { namespace: userNamespace, name }) : undefined;
  const bundle = [settings.platform.caPem, textAt(user, "data", bundleMember)]
    .flatMap((pem) => (pem ? [`${pem.trimEnd()}\n`] : []))
    .join("");
  if (bundle === "" || textAt(found, "data", bundleMember) === bundle) return settled;
  await client.mergePatch(resources.configMaps, found.metadata, { data: { [bundleMember]: bundle } });
  return settled;
}
