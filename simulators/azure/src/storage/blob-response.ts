import type { FastifyReply } from "fastify";
import type { BlobFiles } from "./blob-files.ts";
import type { Blob } from "./blob-store.ts";
import { type Extent, sizeOf } from "./extents.ts";

/** Response of a blob operation. */
export interface BlobResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** XML body. */
  readonly body?: string;
  /** Content of the response: extents of a blob. */
  readonly extents?: readonly Extent[];
}

export function sendBlobResponse(
  reply: FastifyReply,
  files: BlobFiles,
  { status, headers = {}, body, extents }: BlobResponse,
): void {
  void reply.code(status).headers(headers);
  if (body !== undefined) reply.header("content-type", "application/xml");
  if (extents === undefined) void reply.send(body);
  else {
    reply.header("content-length", sizeOf(extents));
    void reply.send(reply.request.method === "HEAD" ? undefined : files.read(extents));
  }
}

/** Returns the response headers with a blob's version. */
export function versionHeaders({
  etag,
  changedAt,
}: Pick<Blob, "etag" | "changedAt">): Record<string, string> {
  return { etag: `"${etag}"`, "last-modified": new Date(changedAt).toUTCString() };
}

export function metadataHeaders(metadata: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`x-ms-meta-${name}`, value]));
}

/** Returns the metadata in the `x-ms-meta-` headers of a request. */
export function metadataIn(headers: Readonly<Record<string, string>>): Record<string, string> {
  const prefix = "x-ms-meta-";
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), value]),
  );
}
