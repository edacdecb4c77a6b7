import type { ClusterClient, KubeObject } from "@keelson/apiserver";
import {
  allOf,
  type Controller,
  done,
  named,
  type Predicate,
  type Result,
  watch,
  watchMapped,
} from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { ensureObject } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import { hasReason } from "../../base/status-reason.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { bundleMember, findServiceAuthority } from "../service-ca/service-ca.ts";

const uidRange = "openshift.io/sa.scc.uid-range";
const supplementalGroups = "openshift.io/sa.scc.supplemental-groups";
const categories = "openshift.io/sa.scc.mcs";
const bundleName = "openshift-service-ca.crt";

/** First user ID assigned to namespaces, and number of user IDs per namespace. */
const firstUid = 1_000_000_000;
const uidsPerNamespace = 10_000;
/** Number of SELinux categories. Each namespace gets a unique pair of categories. */
const maxCategory = 1_024;

const isDeletion: Predicate = ({ type }) => type === "deleted";

/** Adds the defaults of OpenShift's controllers to each namespace: ID ranges, service accounts and the service CA. */
export const namespaceDefaults: Controller<Cluster> = {
  name: "namespace-defaults",
  watches: [
    watch(resources.namespaces),
    // Watches only deletions of service accounts and of the ConfigMap with the CA bundle. Other changes of the bundle are ignored
    // because they are frequent during an installation.
    watchMapped(resources.serviceAccounts, namespaceOf, { where: isDeletion }),
    watchMapped(resources.configMaps, namespaceOf, { where: allOf(named(bundleName), isDeletion) }),
  ],
  reconcile: completeNamespace,
};

function namespaceOf({ metadata: { namespace } }: KubeObject): readonly ObjectKey[] {
  return namespace === undefined ? [] : [{ name: namespace }];
}

async function completeNamespace({ name: namespaceName }: ObjectKey, { client }: Cluster): Promise<Result> {
  const namespace = await client.find(resources.namespaces, { name: namespaceName });
  if (!namespace || namespace.metadata.deletionTimestamp) return done;
  try {
    if (!namespace.metadata.annotations?.[uidRange]) await assignRanges(client, namespace);
    for (const name of ["builder", "deployer"]) {
      const account = {
        apiVersion: "v1",
        kind: "ServiceAccount",
        metadata: { namespace: namespaceName, name },
      };
      if (!(await client.find(resources.serviceAccounts, account.metadata)))
        await ensureObject(client, resources.serviceAccounts, account);
    }
    await ensureBundle(client, namespaceName);
  } catch (error) {
    // Ignores errors that occur because the namespace has just been deleted.
    if (!hasReason(error, "NotFound") && !hasReason(error, "Forbidden")) throw error;
  }
  return done;
}

/**
 * Creates the ConfigMap with the service CA. If the CA does not exist yet, the service CA controller creates the ConfigMap later.
 */
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
  const { items } = await client.list(resources.namespaces);
  const block = freeBlock(items);
  const range = `${firstUid + block * uidsPerNamespace}/${uidsPerNamespace}`;
  const annotations = {
    [uidRange]: range,
    [supplementalGroups]: range,
    [categories]: categoriesOf(block),
  };
  await client.mergePatch(resources.namespaces, namespace.metadata, { metadata: { annotations } });
}

/** Returns the first user ID block that no namespace uses. */
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

/** Returns the unique category pair of a block: `s0:c1,c0`, `s0:c2,c0`, `s0:c2,c1` and so on. */
function categoriesOf(block: number): string {
  const high = Math.floor((1 + Math.sqrt(1 + 8 * block)) / 2);
  const low = block - (high * (high - 1)) / 2;
  return `s0:c${high % maxCategory},c${low % maxCategory}`;
}
