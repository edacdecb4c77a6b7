import { randomUUID } from "node:crypto";
import { timestamp } from "../arm/subscription.ts";
import { checkBlobConditions } from "./blob-conditions.ts";
import { type BlobRequest, nameOf } from "./blob-request.ts";
import { type BlobResponse, metadataHeaders, metadataIn, versionHeaders } from "./blob-response.ts";
import type { Blob, BlockEntry } from "./blob-store.ts";
import { xmlDocument } from "./blob-xml.ts";
import { requireContainer } from "./container-operations.ts";
import { type Extent, sizeOf, sliceExtents, splitExtents } from "./extents.ts";
import { elementsIn } from "./request-xml.ts";
import { invalidHeader, invalidQuery, StorageError } from "./storage-error.ts";
import type { StorageSubscription } from "./storage-subscription.ts";

/** Maximum number of committed blocks of a blob, as in Azure. */
const maxBlocks = 50_000;
/** Maximum number of uncommitted blocks of a blob, as in Azure. */
const maxWaitingBlocks = 100_000;

/** Block lists that are searched for a block: committed, uncommitted or both. */
const blockLists: ReadonlySet<string> = new Set(["Committed", "Uncommitted", "Latest"]);

/** Response headers that a client can set on a blob. The key is the request header that sets the response header. */
const contentHeaders: Readonly<Record<string, string>> = {
  "x-ms-blob-cache-control": "cache-control",
  "x-ms-blob-content-encoding": "content-encoding",
  "x-ms-blob-content-language": "content-language",
  "x-ms-blob-content-disposition": "content-disposition",
};

/** Validates the headers of a write. @throws StorageError */
export function checkBlobWrite(subscription: StorageSubscription, request: BlobRequest): void {
  const { headers } = request;
  if (headers["x-ms-blob-type"] !== "BlockBlob") throw invalidHeader("x-ms-blob-type");
  if (headers["x-ms-copy-source"] !== undefined) throw invalidHeader("x-ms-copy-source");
  requireContainer(subscription, request);
  checkBlobConditions(headers, subscription.blobs.find(nameOf(request)), "write");
}

/** Handles `PUT`: writes a complete blob. */
export function putBlob(subscription: StorageSubscription, request: BlobRequest): BlobResponse {
  checkBlobWrite(subscription, request);
  return write(subscription, request, receivedIn(request), []);
}

/** Checks that a block can be staged for the blob. @throws StorageError */
export function checkBlock(subscription: StorageSubscription, request: BlobRequest): void {
  requireContainer(subscription, request);
  if (!/^[A-Za-z0-9+/]{1,88}={0,2}$/.test(request.query.get("blockid") ?? "")) throw invalidQuery("blockid");
  if (subscription.blobs.waitingCount(nameOf(request)) < maxWaitingBlocks) return;
  throw new StorageError(
    409,
    "BlockCountExceedsLimit",
    `The uncommitted block count cannot exceed the maximum limit of ${maxWaitingBlocks} blocks.`,
  );
}

/** Handles `PUT ?comp=block`: stores an uncommitted block. */
export function putBlock(subscription: StorageSubscription, request: BlobRequest): BlobResponse {
  checkBlock(subscription, request);
  subscription.blobs.putBlock(nameOf(request), request.query.get("blockid") ?? "", receivedIn(request));
  return { status: 201 };
}

/** Returns the extents of the received content. @throws StorageError if the content does not match the client's checksum */
function receivedIn({ headers, content }: BlobRequest): readonly Extent[] {
  const md5 = headers["content-md5"];
  if (content && md5 !== undefined && md5 !== content.md5) {
    throw new StorageError(
      400,
      "Md5Mismatch",
      "The MD5 value specified in the request did not match with the MD5 value calculated by the server.",
    );
  }
  return content?.extent ? [content.extent] : [];
}

/** Handles `PUT ?comp=blocklist`: replaces the blob by the concatenation of the listed blocks. */
export function putBlockList(subscription: StorageSubscription, request: BlobRequest): BlobResponse {
  const at = nameOf(request);
  const asked = elementsIn(request.body, "BlockList").filter(({ name }) => blockLists.has(name));
  if (asked.length > maxBlocks) {
    throw new StorageError(
      400,
      "BlockListTooLong",
      `The block list may not contain more than ${maxBlocks.toLocaleString("en")} blocks.`,
    );
  }
  const before = committedBlocks(subscription.blobs.find(at));
  const parts = asked.map(({ name, text }) => {
    const waiting = name === "Committed" ? undefined : subscription.blobs.findBlock(at, text);
    const extents = waiting ?? (name === "Uncommitted" ? undefined : before.get(text));
    if (extents) return { id: text, extents };
    throw new StorageError(400, "InvalidBlockList", "The specified block list is invalid.");
  });
  const blocks = parts.map(({ id, extents }) => ({ id, size: sizeOf(extents) }));
  return write(
    subscription,
    request,
    parts.flatMap(({ extents }) => extents),
    blocks,
  );
}

/** Handles `GET ?comp=blocklist`: returns the block list of a blob. */
export function getBlockList(subscription: StorageSubscription, request: BlobRequest): BlobResponse {
  const waiting = subscription.blobs.waitingBlocks(nameOf(request));
  const blob =
    waiting.length > 0 ? subscription.blobs.find(nameOf(request)) : requireBlob(subscription, request);
  const kind = request.query.get("blocklisttype") ?? "committed";
  const render = (blocks: readonly BlockEntry[]) => ({
    Block: blocks.map(({ id, size }) => ({ Name: id, Size: String(size) })),
  });
  const body = {
    ...(kind === "uncommitted" ? {} : { CommittedBlocks: render(blob?.blocks ?? []) }),
    ...(kind === "committed" ? {} : { UncommittedBlocks: render(waiting) }),
  };
  return { status: 200, headers: blob ? versionHeaders(blob) : {}, body: xmlDocument({ BlockList: body }) };
}

/** Handles `GET` and `HEAD`: returns a complete blob or a range. */
export function getBlob(subscription: StorageSubscription, request: BlobRequest): BlobResponse {
  const { headers } = request;
  const blob = requireBlob(subscription, request);
  checkBlobConditions(headers, blob, "read");
  return respondWithBlob(blob, headers["x-ms-range"] ?? headers.range);
}

/** Returns a response with a blob's content and headers. */
export function respondWithBlob(blob: Blob, range?: string): BlobResponse {
  const size = sizeOf(blob.extents);
  const common = {
    ...blob.headers,
    ...metadataHeaders(blob.metadata),
    ...versionHeaders(blob),
    "content-type": blob.contentType,
    "accept-ranges": "bytes",
    "x-ms-blob-type": "BlockBlob",
    "x-ms-creation-time": new Date(blob.createdAt ?? blob.changedAt).toUTCString(),
    "x-ms-lease-status": "unlocked",
    "x-ms-lease-state": "available",
    "x-ms-server-encrypted": "true",
  };
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? "") ?? [];
  if (from === undefined) return { status: 200, headers: common, extents: blob.extents };
  const [first, last] = [Number(from), to ? Math.min(Number(to), size - 1) : size - 1];
  if (first > last) {
    throw new StorageError(
      416,
      "InvalidRange",
      "The range specified is invalid for the current size of the resource.",
      {
        "content-range": `bytes */${size}`,
      },
    );
  }
  return {
    status: 206,
    headers: { ...common, "content-range": `bytes ${first}-${last}/${size}` },
    extents: sliceExtents(blob.extents, first, last - first + 1),
  };
}

export function deleteBlob(subscription: StorageSubscription, request: BlobRequest): BlobResponse {
  checkBlobConditions(request.headers, requireBlob(subscription, request), "write");
  subscription.blobs.delete(nameOf(request));
  return { status: 202 };
}

/** Handles `PUT ?comp=metadata`: replaces all metadata. */
export function setBlobMetadata(subscription: StorageSubscription, request: BlobRequest): BlobResponse {
  return change(subscription, request, { metadata: metadataIn(request.headers) });
}

/** Handles `PUT ?comp=properties`: replaces all response headers of the blob. */
export function setBlobProperties(subscription: StorageSubscription, request: BlobRequest): BlobResponse {
  return change(subscription, request, readableHeaders(request.headers));
}

function change(subscription: StorageSubscription, request: BlobRequest, to: Partial<Blob>): BlobResponse {
  const before = requireBlob(subscription, request);
  checkBlobConditions(request.headers, before, "write");
  const blob = { ...before, ...to, etag: randomUUID(), changedAt: timestamp(subscription) };
  subscription.blobs.put(nameOf(request), blob);
  return { status: 200, headers: versionHeaders(blob) };
}

function write(
  subscription: StorageSubscription,
  request: BlobRequest,
  extents: readonly Extent[],
  blocks: readonly BlockEntry[],
): BlobResponse {
  requireContainer(subscription, request);
  const before = subscription.blobs.find(nameOf(request));
  checkBlobConditions(request.headers, before, "write");
  const now = timestamp(subscription);
  const blob: Blob = {
    extents,
    ...readableHeaders(request.headers),
    etag: randomUUID(),
    changedAt: now,
    createdAt: before?.createdAt ?? now,
    metadata: metadataIn(request.headers),
    blocks,
  };
  subscription.blobs.put(nameOf(request), blob);
  return { status: 201, headers: { ...versionHeaders(blob), "x-ms-request-server-encrypted": "true" } };
}

function readableHeaders(headers: Readonly<Record<string, string>>): Pick<Blob, "contentType" | "headers"> {
  const others = Object.entries(contentHeaders).flatMap(([written, read]) => {
    const value = headers[written];
    return value === undefined ? [] : [[read, value]];
  });
  return {
    contentType: headers["x-ms-blob-content-type"] ?? headers["content-type"] ?? "application/octet-stream",
    headers: Object.fromEntries(others),
  };
}

/** Returns the committed blocks of a blob by ID. If several blocks have the same ID, the first of these blocks is returned. */
function committedBlocks(blob: Blob | undefined): ReadonlyMap<string, readonly Extent[]> {
  const blocks = blob?.blocks ?? [];
  const parts = splitExtents(
    blob?.extents ?? [],
    blocks.map(({ size }) => size),
  );
  return new Map(blocks.map(({ id }, index) => [id, parts[index] ?? []] as const).toReversed());
}

/** Returns a blob. @throws StorageError 404 */
function requireBlob(subscription: StorageSubscription, request: BlobRequest): Blob {
  requireContainer(subscription, request);
  const blob = subscription.blobs.find(nameOf(request));
  if (blob) return blob;
  throw new StorageError(404, "BlobNotFound", "The specified blob does not exist.");
}
