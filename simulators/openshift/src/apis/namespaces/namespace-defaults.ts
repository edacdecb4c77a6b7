import type { ClusterClient, KubeObject } from "@keelson/apiserver";
import type { Cluster } from "../../runtime/cluster.ts";
import { type Controller, keyOf, parseKey, settled } from "../../runtime/controller.ts";
import { ensureObject } from "../../runtime/objects.ts";
import { resources } from "../../runtime/resources.ts";
import { hasReason } from "../../runtime/status-reason.ts";
import type { Outcome } from "../../runtime/work-queue.ts";
import { namespaces } from "../projects/project.ts";
import { bundleMember, findServiceAuthority } from "../service-ca/service-ca.ts";

const uidRange = "openshift.io/sa.scc.uid-range";
const supplementalGroups = "openshift.io/sa.scc.supplemental-groups";
const categories = "openshift.io/sa.scc.mcs";
const bundleName = "openshift-service-ca.crt";

/** The first user ID that namespaces get, and how many each gets. */
const firstUid = 1_000_000_000;
const uidsPerNamespace = 10_000;
/** SELinux has so many categories; each namespace gets a pair of its own. */
const maxCategory = 1_024;

/** Gives each namespace what OpenShift's own controllers do: ranges of IDs, service accounts, the service CA. */
export const namespaceDefaults: Controller = {
  name: "namespace-defaults",
  watches: [
    { on: "objects", resource: namespaces, keys: (namespace) => [keyOf(namespace)] },
    {
      on: "objects",
      resource: resources.serviceAccounts,
      keys: ({ metadata }) => [metadata.namespace ?? ""],
    },
    { on: "objects", resource: resources.configMaps, keys: keysOfDeletedBundle },
  ],
  reconcile: completeNamespace,
};

/** The bundle changes often while a cluster is made: its namespace has something to do only when it was deleted. */
async function keysOfDeletedBundle(
  { metadata }: KubeObject,
  { client }: Cluster,
): Promise<readonly string[]> {
  if (metadata.name !== bundleName || metadata.namespace === undefined) return [];
  return (await client.find(resources.configMaps, metadata)) ? [] : [metadata.namespace];
}

async function completeNamespace(key: string, { client }: Cluster): Promise<Outcome> {
  const namespace = await client.find(namespaces, parseKey(key));
  if (!namespace || namespace.metadata.deletionTimestamp) return settled;
  try {
    if (!namespace.metadata.annotations?.[uidRange]) await assignRanges(client, namespace);
    for (const name of ["builder", "deployer"]) {
      const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { namespace: key, name } };
      if (!(await client.find(resources.serviceAccounts, account.metadata)))
        await ensureObject(client, resources.serviceAccounts, account);
    }
    await ensureBundle(client, key);
  } catch (error) {
    // A namespace that goes away meanwhile needs nothing any more.
    if (!hasReason(error, "NotFound") && !hasReason(error, "Forbidden")) throw error;
  }
  return settled;
}

/** The ConfigMap with the authority of services, if there is one already; the service CA gives and keeps it up otherwise. */
async function ensureBundle(client: ClusterClient, namespace: string): Promise<void> {
  const key = { namespace, name: bundleName };
  if (await client.find(resources.configMaps, key)) return;
  const authority = await findServiceAuthority(client);
  await ensureObject(client, resources.configMaps, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { ...key, annotations: { "service.beta.openshift.io/inject-cabundle": "true" } },
    ...(authority ? { data: { [bundleMember]: authority.certificatePem } } : {}),
  });
}

async function assignRanges(client: ClusterClient, namespace: KubeObject): Promise<void> {
  const { items } = await client.list(namespaces);
  const block = freeBlock(items);
  const range = `${firstUid + block * uidsPerNamespace}/${uidsPerNamespace}`;
  const annotations = {
    [uidRange]: range,
    [supplementalGroups]: range,
    [categories]: categoriesOf(block),
  };
  await client.mergePatch(namespaces, namespace.metadata, { metadata: { annotations } });
}

/** The first block that no namespace has. */
function freeBlock(all: readonly KubeObject[]): number {
  const taken = new Set(
    all.map(
      ({ metadata }) =>
        (Number.parseInt(metadata.annotations?.[uidRange] ?? "", 10) - firstUid) / uidsPerNamespace,
    ),
  );
  let block = 0;
  while (taken.has(block)) block++;
  return block;
}

/** The pair of categories for a block, each pair once: `s0:c1,c0`, `s0:c2,c0`, `s0:c2,c1` and so on. */
export function categoriesOf(block: number): string {
  const high = Math.floor((1 + Math.sqrt(1 + 8 * block)) / 2);
  const low = block - (high * (high - 1)) / 2;
  return `s0:c${high % maxCategory},c${low % maxCategory}`;
}
