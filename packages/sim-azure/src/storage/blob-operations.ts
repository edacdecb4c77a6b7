import { createHash, randomUUID } from "node:crypto";
import { timestamp, type World } from "../arm/world.ts";
import { type BlobAnswer, metadataHeaders, metadataIn, versionHeaders } from "./blob-answer.ts";
import { checkBlobConditions } from "./blob-conditions.ts";
import { type BlobRequest, nameOf } from "./blob-request.ts";
import { type Blob, Blobs, type BlockEntry } from "./blob-store.ts";
import { xmlDocument, xmlTexts } from "./blob-xml.ts";
import { requireContainer } from "./container-operations.ts";
import { invalidHeader, invalidQuery, StorageError } from "./storage-error.ts";

/** What a writer says of a blob, and under which name its readers hear it. */
const contentHeaders: Readonly<Record<string, string>> = {
  "x-ms-blob-cache-control": "cache-control",
  "x-ms-blob-content-encoding": "content-encoding",
  "x-ms-blob-content-language": "content-language",
  "x-ms-blob-content-disposition": "content-disposition",
};

/** `PUT`: a whole blob. */
export function putBlob(world: World, request: BlobRequest): BlobAnswer {
  const { headers, body } = request;
  if (headers["x-ms-blob-type"] !== "BlockBlob") throw invalidHeader("x-ms-blob-type");
  if (headers["x-ms-copy-source"] !== undefined) throw invalidHeader("x-ms-copy-source");
  const md5 = headers["content-md5"];
  if (md5 !== undefined && md5 !== createHash("md5").update(body).digest("base64")) {
    throw new StorageError(
      400,
      "Md5Mismatch",
      "The MD5 value specified in the request did not match with the MD5 value calculated by the server.",
    );
  }
  return write(world, request, body, []);
}

/** `PUT ?comp=block`: a part, which is in no blob until a list names it. */
export function putBlock(world: World, request: BlobRequest): BlobAnswer {
  requireContainer(world, request);
  const id = request.query.get("blockid") ?? "";
  if (!/^[A-Za-z0-9+/]{1,88}={0,2}$/.test(id)) throw invalidQuery("blockid");
  new Blobs(world.store).putBlock(nameOf(request), id, request.body);
  return { status: 201 };
}

/** `PUT ?comp=blocklist`: the blob is what these blocks are, one behind the other. */
export function putBlockList(world: World, request: BlobRequest): BlobAnswer {
  const blobs = new Blobs(world.store);
  const at = nameOf(request);
  const before = blobs.find(at);
  const parts = xmlTexts(request.body.toString(), "Latest", "Uncommitted", "Committed").map(
    ({ name, text }) => {
      const waiting = name === "Committed" ? undefined : blobs.findBlock(at, text);
      const content = waiting ?? (name === "Uncommitted" ? undefined : committed(before, text));
      if (content) return { id: text, content };
      throw new StorageError(400, "InvalidBlockList", "The specified block list is invalid.");
    },
  );
  const blocks = parts.map(({ id, content }) => ({ id, size: content.length }));
  return write(world, request, Buffer.concat(parts.map(({ content }) => content)), blocks);
}

/** `GET ?comp=blocklist` */
export function getBlockList(world: World, request: BlobRequest): BlobAnswer {
  const blobs = new Blobs(world.store);
  const waiting = blobs.waitingBlocks(nameOf(request));
  const blob = waiting.length > 0 ? blobs.find(nameOf(request)) : requireBlob(world, request);
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

/** `GET` and `HEAD`: the whole blob or a range of it. */
export function getBlob(world: World, request: BlobRequest): BlobAnswer {
  const { headers } = request;
  const blob = requireBlob(world, request);
  checkBlobConditions(headers, blob, "read");
  return answerWithBlob(blob, headers["x-ms-range"] ?? headers.range);
}

/** The blob as its readers get it. */
export function answerWithBlob(blob: Blob, range?: string): BlobAnswer {
  const bytes = Buffer.from(blob.content, "base64");
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
  if (from === undefined) return { status: 200, headers: common, body: bytes };
  const [first, last] = [Number(from), to ? Math.min(Number(to), bytes.length - 1) : bytes.length - 1];
  if (first > last) {
    throw new StorageError(
      416,
      "InvalidRange",
      "The range specified is invalid for the current size of the resource.",
      {
        "content-range": `bytes */${bytes.length}`,
      },
    );
  }
  const contentRange = `bytes ${first}-${last}/${bytes.length}`;
  return {
    status: 206,
    headers: { ...common, "content-range": contentRange },
    body: bytes.subarray(first, last + 1),
  };
}

export function deleteBlob(world: World, request: BlobRequest): BlobAnswer {
  checkBlobConditions(request.headers, requireBlob(world, request), "write");
  new Blobs(world.store).delete(nameOf(request));
  return { status: 202 };
}

/** `PUT ?comp=metadata`: all of it anew. */
export function setBlobMetadata(world: World, request: BlobRequest): BlobAnswer {
  return change(world, request, { metadata: metadataIn(request.headers) });
}

/** `PUT ?comp=properties`: the headers that readers get, all of them anew. */
export function setBlobProperties(world: World, request: BlobRequest): BlobAnswer {
  return change(world, request, readableHeaders(request.headers));
}

function change(world: World, request: BlobRequest, to: Partial<Blob>): BlobAnswer {
  const before = requireBlob(world, request);
  checkBlobConditions(request.headers, before, "write");
  const blob = { ...before, ...to, etag: randomUUID(), changedAt: timestamp(world) };
  new Blobs(world.store).put(nameOf(request), blob);
  return { status: 200, headers: versionHeaders(blob) };
}

function write(
  world: World,
  request: BlobRequest,
  content: Buffer,
  blocks: readonly BlockEntry[],
): BlobAnswer {
  requireContainer(world, request);
  const blobs = new Blobs(world.store);
  const before = blobs.find(nameOf(request));
  checkBlobConditions(request.headers, before, "write");
  const now = timestamp(world);
  const blob: Blob = {
    content: content.toString("base64"),
    ...readableHeaders(request.headers),
    etag: randomUUID(),
    changedAt: now,
    createdAt: before?.createdAt ?? now,
    metadata: metadataIn(request.headers),
    blocks,
  };
  blobs.put(nameOf(request), blob);
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

/** A block of the blob as it is. */
function committed(blob: Blob | undefined, id: string): Buffer | undefined {
  let start = 0;
  for (const block of blob?.blocks ?? []) {
    if (block.id === id)
      return Buffer.from(blob?.content ?? "", "base64").subarray(start, start + block.size);
    start += block.size;
  }
  return undefined;
}

/** @throws StorageError 404 */
export function requireBlob(world: World, request: BlobRequest): Blob {
  requireContainer(world, request);
  const blob = new Blobs(world.store).find(nameOf(request));
  if (blob) return blob;
  throw new StorageError(404, "BlobNotFound", "The specified blob does not exist.");
}
