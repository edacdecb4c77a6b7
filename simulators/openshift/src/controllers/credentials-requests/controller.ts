import type { KubeObject } from "@keelson/apiserver";
import { numberAt, objectAt, stringAt } from "@keelson/base";
import {
  type Controller,
  done,
  hasFinalizer,
  keyOf,
  type ReconcileScope,
  type Result,
  removeFinalizer,
  timestamp,
  watch,
  watchMapped,
} from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { canonicalJson } from "../../base/canonical-json.ts";
import { ensureDeleted, ensureObject, writeStatus } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { inProcessApi } from "../../runtime/in-process-api.ts";

const root = { namespace: "kube-system", name: "azure-credentials" };

/**
 * Simulates the cloud credential operator in passthrough mode. It copies the cluster's service principal to the Secret of each
 * CredentialsRequest.
 */
export const credentialsRequests: Controller<Cluster> = {
  name: "credentials-requests",
  watches: [
    watch(resources.credentialsRequests),
    // Watches the root Secret and the requests' target Secrets.
    watchMapped(resources.secrets, ({ metadata: { namespace, name } }, cluster: Cluster) =>
      namespace === root.namespace && name === root.name
        ? requests(cluster, () => true)
        : requests(cluster, (wanted) => wanted.namespace === namespace && wanted.name === name),
    ),
    watchMapped(resources.namespaces, ({ metadata: { name } }, cluster: Cluster) =>
      requests(cluster, ({ namespace }) => namespace === name),
    ),
  ],
  reconcile: reconcileRequest,
};

/** Returns the keys of the CredentialsRequests with a target Secret that `matches` accepts. */
function requests(
  { cache }: Cluster,
  matches: (secret: ReturnType<typeof secretOf>) => boolean,
): readonly ObjectKey[] {
  return cache
    .informer(resources.credentialsRequests)
    .list()
    .filter((request) => matches(secretOf(request)))
    .map(keyOf);
}

function secretOf(request: unknown) {
  return {
    namespace: stringAt(request, "spec", "secretRef", "namespace"),
    name: stringAt(request, "spec", "secretRef", "name"),
  };
}

/** Finalizer of CredentialsRequests. Deleting a request deletes its Secret first. */
const deprovision = "cloudcredential.openshift.io/deprovision";

async function reconcileRequest(
  key: ObjectKey,
  cluster: Cluster,
  { signal }: ReconcileScope,
): Promise<Result> {
  const { client, clock } = cluster;
  const request = await client.find(resources.credentialsRequests, key);
  if (!request) return done;
  const { namespace, name } = secretOf(request);
  if (request.metadata.deletionTimestamp !== undefined) {
    if (!hasFinalizer(request, deprovision)) return done;
    if (namespace && name) await ensureDeleted(client, resources.secrets, { namespace, name });
    const api = inProcessApi(client);
    await removeFinalizer(api, resources.credentialsRequests, request, deprovision, signal);
    return done;
  }
  const source = await client.find(resources.secrets, root);
  if (!namespace || !name || !source) return done;
  // Waits for the Secret's namespace. A terminating namespace rejects new objects.
  const home = await client.find(resources.namespaces, { name: namespace });
  if (!home || home.metadata.deletionTimestamp !== undefined) return done;
  await ensureSecret(cluster, request, { namespace, name }, source);
  const generation = request.metadata.generation ?? 1;
  const version = source.metadata.resourceVersion ?? "";
  const before = objectAt(request, "status");
  const same =
    before.provisioned === true &&
    numberAt(before, "lastSyncGeneration") === generation &&
    stringAt(before, "lastSyncCloudCredsSecretResourceVersion") === version;
  if (same) return done;
  await writeStatus(client, resources.credentialsRequests, request, {
    ...before,
    provisioned: true,
    lastSyncGeneration: generation,
    lastSyncTimestamp: timestamp(clock.now()),
    lastSyncCloudCredsSecretResourceVersion: version,
  });
  return done;
}

async function ensureSecret(
  { client }: Cluster,
  request: KubeObject,
  key: { readonly namespace: string; readonly name: string },
  source: KubeObject,
): Promise<void> {
  const annotations = {
    "cloudcredential.openshift.io/credentials-request": `${request.metadata.namespace}/${request.metadata.name}`,
  };
  const live = await client.find(resources.secrets, key);
  if (!live)
    return ensureObject(client, resources.secrets, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { ...key, annotations },
      type: "Opaque",
      data: source.data,
    });
  if (canonicalJson(live.data) === canonicalJson(source.data)) return;
  await client.update(resources.secrets, {
    ...live,
    metadata: { ...live.metadata, annotations: { ...live.metadata.annotations, ...annotations } },
    data: source.data,
  });
}
