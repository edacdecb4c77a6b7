import { type BlobContainer, unlessGone } from "@keelson/azure";
import { Secret } from "@keelson/base";
import { managedGroupOf, storageAccountNames, usesWorkloadIdentity } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { ignitionContainer } from "./storage-account-template.ts";

const dayMs = 86_400_000;
/** A SAS becomes valid this number of ms before its creation, because Azure's clock may be behind this machine's clock. */
const earlierMs = 15 * 60_000;

/**
 * Returns a container of the cluster's storage account. Undefined if there is no account. Accounts of clusters with managed
 * identities have no keys, so the service signs in with its own identity. All other accounts are accessed with an account SAS
 * that is valid for one day.
 */
export async function clusterContainer(
  context: ClusterContext,
  name: string,
): Promise<BlobContainer | undefined> {
  const { cluster, azure, clock, signal } = context;
  const { cluster: account } = storageAccountNames(cluster);
  if (!account) return undefined;
  const { storageAccounts } = azure.storage;
  const group = managedGroupOf(cluster);
  const call = azure.call(signal);
  const found = await unlessGone(() => storageAccounts.getProperties(group, account, call));
  const endpoint = found?.primaryEndpoints?.blob;
  if (!endpoint) return undefined;
  const containerUrl = `${endpoint.replace(/\/+$/, "")}/${name}`;
  if (usesWorkloadIdentity(cluster)) return azure.blobContainer(containerUrl);
  const now = clock.now().getTime();
  const { accountSasToken = "" } = await storageAccounts.listAccountSAS(
    group,
    account,
    {
      services: "b",
      resourceTypes: "co" as "c",
      permissions: "rwd" as "r",
      protocols: "https",
      sharedAccessStartTime: new Date(now - earlierMs),
      sharedAccessExpiryTime: new Date(now + dayMs),
    },
    call,
  );
  return azure.blobContainer(containerUrl, new Secret(accountSasToken));
}

/** Deletes the bootstrap machine's Ignition configuration, because it contains keys. */
export async function removeBootstrapIgnition(context: ClusterContext): Promise<void> {
  const container = await clusterContainer(context, ignitionContainer);
  await container?.deleteContainer(context.signal);
}
