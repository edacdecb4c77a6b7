import type { ClusterClient, KubeObject } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";
import { type Controller, done, keyOf, type Result, watch, watchMapped } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { ensureDeleted, ensureObject } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import { hasReason } from "../../base/status-reason.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import {
  accountOf,
  emptyPullSecret,
  newPullSecretName,
  pullSecretNameOf,
  renewalOf,
  tokenIn,
  tokenPatch,
  withoutPullSecret,
  withPullSecret,
} from "./pull-secret.ts";

const singleton = { name: "cluster" };
/** Minimum time between token renewals in milliseconds, independent of the token lifetime. */
const minRenewalMs = 60_000;

/**
 * Creates a registry pull secret for each service account while the registry's `managementState` is `Managed`. Skips platform
 * namespaces because their hundreds of service accounts never use such a secret. Simulates OpenShift's controller manager.
 */
export const registryPullSecrets: Controller<Cluster> = {
  name: "registry-pull-secrets",
  watches: [
    watch(resources.serviceAccounts, { where: ({ object }) => isOfUsers(object) }),
    watchMapped(resources.secrets, keysOfPullSecret),
    watchMapped(resources.imageRegistries, accountsOfUsers),
    watchMapped(resources.imageConfigs, accountsOfUsers),
  ],
  reconcile: reconcileAccount,
};

function isOfUsers({ metadata }: KubeObject): boolean {
  return !/^(openshift$|openshift-|kube-)/.test(metadata.namespace ?? "");
}

function keysOfPullSecret(secret: KubeObject): readonly ObjectKey[] {
  const account = accountOf(secret);
  return account && isOfUsers(secret) ? [{ ...keyOf(secret), name: account }] : [];
}

function accountsOfUsers(_object: KubeObject, { cache }: Cluster): readonly ObjectKey[] {
  return cache.informer(resources.serviceAccounts).list().filter(isOfUsers).map(keyOf);
}

async function reconcileAccount(key: ObjectKey, cluster: Cluster): Promise<Result> {
  const account = await cluster.client.find(resources.serviceAccounts, key);
  if (!account || account.metadata.deletionTimestamp) return done;
  try {
    const hosts = await registryHosts(cluster);
    if (hosts.length > 0) return await provide(account, hosts, cluster);
    await remove(account, cluster);
  } catch (error) {
    // The account was deleted or its namespace is terminating, so the account needs no pull secret.
    if (!hasReason(error, "NotFound") && !hasReason(error, "Forbidden")) throw error;
  }
  return done;
}

/** Returns the registry's cluster-internal host names. Empty while the registry's `managementState` is not `Managed`. */
async function registryHosts({ client }: Cluster): Promise<readonly string[]> {
  const registry = await client.find(resources.imageRegistries, singleton);
  if (stringAt(registry, "spec", "managementState") !== "Managed") return [];
  const images = await client.find(resources.imageConfigs, singleton);
  const host = stringAt(images, "status", "internalRegistryHostname");
  if (!host) return [];
  return [host, host.replace(/\.svc(?=:|$)/, ".svc.cluster.local")];
}

async function provide(
  account: KubeObject,
  hosts: readonly string[],
  { client, logical, clock }: Cluster,
): Promise<Result> {
  const { namespace = "" } = account.metadata;
  const name =
    pullSecretNameOf(account) ?? (await findPullSecretName(account, client)) ?? newPullSecretName(account);
  const wanted = withPullSecret(account, name);
  if (wanted !== account) await client.update(resources.serviceAccounts, wanted);
  await ensureObject(client, resources.secrets, emptyPullSecret(account, name));
  const secret = await client.get(resources.secrets, { namespace, name });
  const present = tokenIn(secret, hosts);
  const leftMs = present === undefined ? 0 : renewalOf(present).getTime() - clock.now().getTime();
  if (leftMs > 0) return { requeueAfterMs: leftMs };
  const { uid } = secret.metadata;
  const { token } = await logical.issueToken({
    namespace,
    serviceAccount: account.metadata.name,
    boundObject: { kind: "Secret", name, ...(uid === undefined ? {} : { uid }) },
  });
  await client.mergePatch(resources.secrets, secret.metadata, tokenPatch(token, hosts));
  const renewInMs = renewalOf(token).getTime() - clock.now().getTime();
  return { requeueAfterMs: Math.max(renewInMs, minRenewalMs) };
}

/**
 * Finds the pull secret of a service account that has no annotation anymore, for example because a client removed the annotation.
 */
async function findPullSecretName(account: KubeObject, client: ClusterClient): Promise<string | undefined> {
  const { namespace = "", name } = account.metadata;
  const { items } = await client.list(resources.secrets, { namespace });
  return items.find((each) => accountOf(each) === name)?.metadata.name;
}

async function remove(account: KubeObject, { client }: Cluster): Promise<void> {
  const { namespace = "" } = account.metadata;
  const name = pullSecretNameOf(account);
  if (name === undefined) return;
  const secret = await client.find(resources.secrets, { namespace, name });
  if (!secret || accountOf(secret) !== account.metadata.name) return;
  await client.update(resources.serviceAccounts, withoutPullSecret(account, name));
  await ensureDeleted(client, resources.secrets, { namespace, name });
}
