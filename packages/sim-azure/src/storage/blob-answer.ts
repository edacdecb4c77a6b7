import type { FastifyReply } from "fastify";
import type { Blob } from "./blob-store.ts";

/** What an operation on blobs is answered with. */
export interface BlobAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** XML, or bytes of a blob. */
  readonly body?: string | Buffer;
}

export function sendBlobAnswer(reply: FastifyReply, { status, headers = {}, body }: BlobAnswer): void {
  reply.code(status);
  if (typeof body === "string") reply.header("content-type", "application/xml");
  void reply.headers(headers).send(body);
}

/** Which version of a blob it is. */
export function versionHeaders({
  etag,
  changedAt,
}: Pick<Blob, "etag" | "changedAt">): Record<string, string> {
  return { etag: `"${etag}"`, "last-modified": new Date(changedAt).toUTCString() };
}

export function metadataHeaders(metadata: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`x-ms-meta-${name}`, value]));
}

/** What a request says in `x-ms-meta-` headers. */
export function metadataIn(headers: Readonly<Record<string, string>>): Record<string, string> {
  const prefix = "x-ms-meta-";
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), value]),
  );
}
