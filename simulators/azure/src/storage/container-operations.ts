import { randomUUID } from "node:crypto";
import { newRecord } from "../arm/new-record.ts";
import { removeResource } from "../arm/removal.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import { timestamp } from "../arm/subscription.ts";
import { at, members, nonEmptyStringAt, withProperties } from "../base/json.ts";
import type { BlobRequest } from "./blob-request.ts";
import { type BlobResponse, metadataHeaders, metadataIn, versionHeaders } from "./blob-response.ts";
import { blobContainers, containerName } from "./blob-services.ts";
import type { Blob } from "./blob-store.ts";
import { type Xml, xmlDocument } from "./blob-xml.ts";
import { sizeOf } from "./extents.ts";
import { listPage } from "./list-page.ts";
import { elementsIn } from "./request-xml.ts";
import { invalidHeader, StorageError } from "./storage-error.ts";
import type { StorageSubscription } from "./storage-subscription.ts";

const type = "Microsoft.Storage/storageAccounts/blobServices/containers";

/**
 * Returns the ARM resource of the container in a request. Returns undefined if the account is not an ARM resource. In such an
 * account, every container counts as existing.
 * @throws StorageError 404
 */
export function requireContainer(
  subscription: StorageSubscription,
  request: BlobRequest,
): ResourceRecord | undefined {
  const { resource, container } = request;
  if (!resource) return undefined;
  const found = subscription.resources.find(idOf(resource, container));
  if (found) return found;
  throw new StorageError(404, "ContainerNotFound", "The specified container does not exist.");
}

export function containersOf(
  subscription: StorageSubscription,
  { resource }: BlobRequest,
): readonly ResourceRecord[] {
  if (!resource) return [];
  return [...subscription.resources.inCollection(`${resource.id}/blobServices/default/containers`)].sort(
    (a, b) => (a.name < b.name ? -1 : 1),
  );
}

/** Handles `PUT ?restype=container`: creates a container. */
export function createContainer(subscription: StorageSubscription, request: BlobRequest): BlobResponse {
  const { resource, container, headers } = request;
  if (!containerName.test(container)) {
    throw new StorageError(
      400,
      "InvalidResourceName",
      "The specified resource name contains invalid characters.",
    );
  }
  if (resource && subscription.resources.find(idOf(resource, container))) {
    throw new StorageError(409, "ContainerAlreadyExists", "The specified container already exists.");
  }
  const metadata = metadataIn(headers);
  return made(putContainer(subscription, request, { metadata, publicAccess: publicAccessIn(request) }));
}

/** Creates a container if it does not exist. */
export function putContainer(
  subscription: StorageSubscription,
  { resource, container }: BlobRequest,
  properties: ResourceRecord["body"],
): ResourceRecord | undefined {
  if (!resource) return undefined;
  const id = idOf(resource, container);
  const existing = subscription.resources.find(id);
  if (existing) return existing;
  const draft = { id, name: container, body: { properties }, existing: undefined };
  const { body } = blobContainers.prepare(draft, subscription);
  const record = newRecord(subscription, { id, type, body });
  subscription.resources.put(record);
  return record;
}

/** Handles `DELETE ?restype=container`: deletes a container and all its blobs. */
export function deleteContainer(subscription: StorageSubscription, request: BlobRequest): BlobResponse {
  const record = requireContainer(subscription, request);
  if (record) removeResource(subscription, record);
  else subscription.blobs.deleteContainer(request.account, request.container);
  return { status: 202 };
}

/** Handles `GET ?restype=container`: returns the properties of a container. */
export function containerProperties(subscription: StorageSubscription, request: BlobRequest): BlobResponse {
  const record = requireContainer(subscription, request);
  const metadata = members(at(record?.body, "properties", "metadata"));
  const texts = Object.entries(metadata).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
  const access = nonEmptyStringAt(record?.body, "properties", "publicAccess");
  return {
    status: 200,
    headers: {
      ...(record ? versionHeaders(record) : {}),
      ...metadataHeaders(Object.fromEntries(texts)),
      ...(access === undefined || access === "None"
        ? {}
        : { "x-ms-blob-public-access": access.toLowerCase() }),
      "x-ms-lease-status": "unlocked",
      "x-ms-lease-state": "available",
    },
  };
}

/** Handles `PUT ?restype=container&comp=metadata`: replaces all metadata. */
export function setContainerMetadata(subscription: StorageSubscription, request: BlobRequest): BlobResponse {
  return changeContainer(subscription, request, { metadata: metadataIn(request.headers) });
}

/** Handles `GET ?restype=container&comp=acl`: returns the level of public access. Stored access policies are not supported. */
export function containerAccess(subscription: StorageSubscription, request: BlobRequest): BlobResponse {
  const { headers = {} } = containerProperties(subscription, request);
  return { status: 200, headers, body: xmlDocument({ SignedIdentifiers: "" }) };
}

/** Handles `PUT ?restype=container&comp=acl`: sets the level of public access. */
export function setContainerAccess(subscription: StorageSubscription, request: BlobRequest): BlobResponse {
  // A request without a body sets only the level of public access.
  const policies = request.body === "" ? [] : elementsIn(request.body, "SignedIdentifiers");
  if (policies.length > 0) {
    throw new StorageError(400, "InvalidXmlDocument", "Stored access policies are not kept here.");
  }
  return changeContainer(subscription, request, { publicAccess: publicAccessIn(request) });
}

/**
 * Handles `GET ?restype=container&comp=list`: lists the blobs by name. With a delimiter, blobs below a common prefix are listed
 * as one entry, like a directory.
 */
export function listBlobs(subscription: StorageSubscription, request: BlobRequest): BlobResponse {
  requireContainer(subscription, request);
  const { account, container, query } = request;
  const prefix = query.get("prefix") ?? "";
  const delimiter = query.get("delimiter") ?? "";
  const withMetadata = query.get("include")?.includes("metadata") === true;
  const rows = new Map<string, Xml>();
  const kinds = { Blob: new Set<string>(), BlobPrefix: new Set<string>() };
  for (const [name, blob] of subscription.blobs.list(account, container, prefix)) {
    const end = delimiter === "" ? -1 : name.indexOf(delimiter, prefix.length);
    const shown = end < 0 ? name : name.slice(0, end + delimiter.length);
    rows.set(shown, end < 0 ? listed(name, blob, withMetadata) : { Name: shown });
    kinds[end < 0 ? "Blob" : "BlobPrefix"].add(shown);
  }
  const { page, nextMarker } = listPage([...rows.entries()], ([name]) => name, query);
  const only = (names: ReadonlySet<string>) => page.filter(([name]) => names.has(name)).map(([, xml]) => xml);
  const EnumerationResults = {
    "@ServiceEndpoint": `https://${account}.blob.core.windows.net/`,
    "@ContainerName": container,
    Prefix: prefix,
    ...(delimiter === "" ? {} : { Delimiter: delimiter }),
    Blobs: { Blob: only(kinds.Blob), BlobPrefix: only(kinds.BlobPrefix) },
    NextMarker: nextMarker,
  };
  return { status: 200, body: xmlDocument({ EnumerationResults }) };
}

function listed(name: string, blob: Blob, withMetadata: boolean): Xml {
  return {
    Name: name,
    Properties: {
      "Creation-Time": new Date(blob.createdAt ?? blob.changedAt).toUTCString(),
      "Last-Modified": new Date(blob.changedAt).toUTCString(),
      Etag: blob.etag,
      "Content-Length": String(sizeOf(blob.extents)),
      "Content-Type": blob.contentType,
      BlobType: "BlockBlob",
      AccessTier: "Hot",
      LeaseStatus: "unlocked",
      LeaseState: "available",
    },
    ...(withMetadata && blob.metadata ? { Metadata: blob.metadata } : {}),
  };
}

function changeContainer(
  subscription: StorageSubscription,
  request: BlobRequest,
  properties: ResourceRecord["body"],
): BlobResponse {
  const record = requireContainer(subscription, request);
  if (!record) return { status: 200 };
  const draft = { ...record, existing: record, body: withProperties(record.body, properties) };
  const { body } = blobContainers.prepare(draft, subscription);
  const changed = { ...record, body, etag: randomUUID(), changedAt: timestamp(subscription) };
  subscription.resources.put(changed);
  return { status: 200, headers: versionHeaders(changed) };
}

function made(record: ResourceRecord | undefined): BlobResponse {
  return { status: 201, headers: record ? versionHeaders(record) : {} };
}

function publicAccessIn({ headers }: BlobRequest): string {
  const asked = headers["x-ms-blob-public-access"];
  if (asked === undefined) return "None";
  if (asked === "blob") return "Blob";
  if (asked === "container") return "Container";
  throw invalidHeader("x-ms-blob-public-access");
}

function idOf(account: ResourceRecord, container: string): string {
  return `${account.id}/blobServices/default/containers/${container}`;
}
