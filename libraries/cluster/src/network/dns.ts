import { CloudError } from "@keelson/arm";
import { isPreconditionFailed, unlessGone } from "@keelson/azure";
import { type ClusterDomain, clusterDomain } from "@keelson/model";
import type { RecordSet } from "../context/azure-models.ts";
import type { ClusterContext } from "../context/context.ts";

export function domainOf({ cluster, environment }: ClusterContext): ClusterDomain {
  return clusterDomain(cluster.properties.clusterProfile.domain, environment.domain);
}

const ttlSeconds = 300;

/**
 * Reserves the cluster's name in the service's DNS zone. Creates the record `api.<prefix>` without an address. The record's
 * metadata contains the ID of its owner. Does nothing if the customer uses a custom domain.
 * @throws CloudError DuplicateDomain
 */
export async function createDNS(context: ClusterContext): Promise<void> {
  const prefix = domainOf(context).managedPrefix;
  if (prefix === undefined) return;
  const record = await findRecord(context, `api.${prefix}`);
  if (!record) {
    try {
      await putRecord(context, `api.${prefix}`, ownRecord(context, undefined), { ifNoneMatch: "*" });
      return;
    } catch (error) {
      // The record already exists. Either it belongs to a second cluster, or an earlier attempt of this cluster created it but
      // did not receive the response.
      if (!isPreconditionFailed(error)) throw error;
    }
  }
  if (!isOurs(context, record ?? (await findRecord(context, `api.${prefix}`))))
    throw duplicateDomain(context);
}

/**
 * Sets the API server's address in the DNS record `api.<prefix>`.
 * @throws CloudError DuplicateDomain
 */
export async function setApiAddress(context: ClusterContext, address: string): Promise<void> {
  const prefix = domainOf(context).managedPrefix;
  if (prefix === undefined) return;
  const record = await findRecord(context, `api.${prefix}`);
  if (!record || !isOurs(context, record)) throw duplicateDomain(context);
  if (hasAddress(record, address)) return;
  const ifMatch = record.etag;
  await putRecord(context, `api.${prefix}`, ownRecord(context, address), ifMatch ? { ifMatch } : {});
}

/**
 * Sets the router's address in the DNS record `*.apps.<prefix>`.
 * @throws CloudError DuplicateDomain if a different cluster owns the record
 */
export async function setRouterAddress(context: ClusterContext, address: string): Promise<void> {
  const prefix = domainOf(context).managedPrefix;
  if (prefix === undefined) return;
  const record = await findRecord(context, `*.apps.${prefix}`);
  if (record?.metadata?.resourceId !== undefined && !isOurs(context, record)) throw duplicateDomain(context);
  if (record && hasAddress(record, address)) return;
  const match = record ? (record.etag ? { ifMatch: record.etag } : {}) : { ifNoneMatch: "*" };
  await putRecord(context, `*.apps.${prefix}`, ownRecord(context, address), match);
}

/** Deletes the cluster's DNS records. The record `api` is deleted last, because it proves that the cluster owns the name. */
export async function deleteDNS(context: ClusterContext): Promise<void> {
  const prefix = domainOf(context).managedPrefix;
  if (prefix === undefined) return;
  const api = await findRecord(context, `api.${prefix}`);
  const apps = await findRecord(context, `*.apps.${prefix}`);
  const proof = apps?.metadata?.resourceId === undefined ? api : apps;
  if (apps && isOurs(context, proof)) await deleteRecord(context, `*.apps.${prefix}`, apps.etag);
  if (isOurs(context, api)) await deleteRecord(context, `api.${prefix}`, api?.etag);
}

function ownRecord({ cluster }: ClusterContext, address: string | undefined): RecordSet {
  return {
    ttl: ttlSeconds,
    metadata: { resourceId: cluster.id },
    ...(address === undefined ? {} : { aRecords: [{ ipv4Address: address }] }),
  };
}

function isOurs({ cluster }: ClusterContext, record: RecordSet | undefined): boolean {
  return record?.metadata?.resourceId?.toLowerCase() === cluster.id.toLowerCase();
}

function hasAddress(record: RecordSet, address: string): boolean {
  return record.aRecords?.length === 1 && record.aRecords[0]?.ipv4Address === address;
}

function duplicateDomain({ cluster }: ClusterContext): CloudError {
  const { domain } = cluster.properties.clusterProfile;
  return new CloudError("DuplicateDomain", `The provided domain '${domain}' is already in use by a cluster.`);
}

async function findRecord(context: ClusterContext, name: string): Promise<RecordSet | undefined> {
  const { serviceAzure, environment, signal } = context;
  const { resourceGroup, domain } = environment;
  return unlessGone(() =>
    serviceAzure.dns.recordSets.get(resourceGroup, domain, name, "A", serviceAzure.call(signal)),
  );
}

async function putRecord(
  context: ClusterContext,
  name: string,
  record: RecordSet,
  match: { readonly ifMatch?: string; readonly ifNoneMatch?: string },
): Promise<void> {
  const { serviceAzure, environment, signal } = context;
  await serviceAzure.dns.recordSets.createOrUpdate(
    environment.resourceGroup,
    environment.domain,
    name,
    "A",
    record,
    { ...serviceAzure.call(signal), ...match },
  );
}

async function deleteRecord(context: ClusterContext, name: string, etag: string | undefined): Promise<void> {
  const { serviceAzure, environment, signal } = context;
  await unlessGone(() =>
    serviceAzure.dns.recordSets.delete(environment.resourceGroup, environment.domain, name, "A", {
      ...serviceAzure.call(signal),
      ...(etag === undefined ? {} : { ifMatch: etag }),
    }),
  );
}
