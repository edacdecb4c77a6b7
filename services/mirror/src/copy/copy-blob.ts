import type { Readable } from "node:stream";
import { type Backoff, backoffMs, type Clock, isCoded, messageOf } from "@keelson/base";
import { digestLike } from "../registry/digest.ts";
import { errors } from "../registry/errors.ts";
import type { Descriptor } from "../registry/manifest.ts";
import { delayBeforeRetry } from "../registry/registry.ts";
import { RegistryError } from "../registry/registry-error.ts";
import type { Repository } from "../registry/repository.ts";
import { chunksOf } from "./chunks.ts";
import { ResumableHash } from "./resumable-hash.ts";
import type { UploadRecords } from "./upload-records.ts";
import { UploadSession } from "./upload-session.ts";

export interface CopyBlobOptions {
  readonly blob: Descriptor;
  readonly from: Repository;
  readonly to: Repository;
  /** Repository of the destination registry that already contains the blob, if known. */
  readonly mountFrom: string | undefined;
  readonly records: UploadRecords;
  readonly chunkBytes: number;
  readonly attempts: Backoff;
  readonly clock: Clock;
  /** Callback with the number of bytes that the destination has received. */
  readonly onBytes: (count: number) => void;
  readonly signal: AbortSignal;
}

export type CopiedBlob = "present" | "mounted" | "copied";

/**
 * Copies one blob to the destination. If the destination already has the blob, nothing is sent. An interrupted upload continues
 * after the bytes that the registry has received. An attempt that transfers data resets the attempt counter.
 * @throws DigestMismatch, BlobTruncated, RegistryError; StateUnusable
 */
export async function copyBlob(options: CopyBlobOptions): Promise<CopiedBlob> {
  const { blob, to, records, attempts, clock, signal } = options;
  const upload = `${to.registry.host}/${to.name}@${blob.digest}`;
  if (await to.hasBlob(blob.digest, signal)) {
    await records.remove(upload);
    return "present";
  }
  for (let failures = 0; ; ) {
    signal.throwIfAborted();
    let sent = 0;
    try {
      const result = await attempt(options, upload, (count) => {
        sent += count;
        options.onBytes(count);
      });
      await records.remove(upload);
      return result;
    } catch (error) {
      signal.throwIfAborted();
      const delay = delayBeforeRetry(error);
      // A digest mismatch does not count as progress, even though the attempt has sent all bytes.
      failures = sent > 0 && !isCoded(error, "DigestMismatch") ? 1 : failures + 1;
      if (delay === "stop" || failures >= attempts.attempts) throw error;
      await clock.sleep(delay ?? backoffMs(attempts, failures), signal);
    }
  }
}

type OnSent = (bytes: number) => void;

async function attempt(options: CopyBlobOptions, upload: string, onSent: OnSent): Promise<CopiedBlob> {
  const { blob, to, mountFrom, records, chunkBytes, signal } = options;
  const resumed = await resume(options, upload);
  if (resumed) {
    await send(options, upload, resumed, onSent);
    return "copied";
  }
  const start = await UploadSession.start(to, blob.digest, mountFrom, signal);
  if (start.kind === "mounted") return "mounted";
  const { session } = start;
  if (blob.size <= chunkBytes) {
    await sendWhole(options, session, onSent);
    return "copied";
  }
  const hash = await ResumableHash.start(blob.digest);
  await records.put(upload, { location: session.location, offset: 0, hash: hash.save() });
  await send(options, upload, { session, hash, hashed: 0, stored: 0 }, onSent);
  return "copied";
}

interface Progress {
  readonly session: UploadSession;
  readonly hash: ResumableHash;
  /** `hashed` is the number of bytes covered by `hash`. `stored` is the number of bytes at the registry. */
  readonly hashed: number;
  readonly stored: number;
}

/**
 * Returns the progress of an earlier upload that can continue. Returns undefined if the record is missing, or if the registry
 * cannot continue the upload.
 */
async function resume(
  { blob, to, records, signal }: CopyBlobOptions,
  upload: string,
): Promise<Progress | undefined> {
  const record = await records.find(upload);
  if (!record) return undefined;
  const session = new UploadSession(to, record.location);
  const stored = await to.registry.persist(() => session.size(signal), signal);
  if (stored === undefined) return undefined;
  const hash = await ResumableHash.resume(blob.digest, record.hash);
  // If the registry has more bytes than the record, the difference is read from the source again to update `hash`. If the
  // registry has fewer bytes than the record, the upload cannot be resumed.
  if (hash && record.offset <= stored && stored <= blob.size) {
    return { session, hash, hashed: record.offset, stored };
  }
  await session.cancel(signal);
  return undefined;
}

async function send(
  options: CopyBlobOptions,
  upload: string,
  progress: Progress,
  onSent: OnSent,
): Promise<void> {
  const { blob, records, chunkBytes, signal } = options;
  const { session, hash, stored } = progress;
  let position = progress.hashed;
  if (position < blob.size) {
    const opened = await options.from.openBlob(blob.digest, position, signal);
    const chunks = chunksOf(readable(opened.body, options), chunkBytes, position - opened.start);
    for await (const chunk of chunks) {
      if (position + chunk.length > blob.size) throw tooLong(options);
      hash.update(chunk);
      const fresh = chunk.subarray(Math.min(chunk.length, Math.max(0, stored - position)));
      position += chunk.length;
      if (fresh.length === 0) continue;
      await session.append(fresh, position - fresh.length, signal);
      onSent(fresh.length);
      await records.put(upload, { location: session.location, offset: position, hash: hash.save() });
    }
  }
  if (position < blob.size) throw truncated(options, position);
  const digest = hash.digest();
  if (digest !== blob.digest) {
    await records.remove(upload);
    await session.cancel(signal);
    throw mismatch(options, digest);
  }
  await session.finish(blob.digest, new Uint8Array(0), signal);
}

/** Sends a blob that fits in one chunk. The blob is verified before it is sent. */
async function sendWhole(options: CopyBlobOptions, session: UploadSession, onSent: OnSent): Promise<void> {
  const { blob, from, chunkBytes, signal } = options;
  const { body } = await from.openBlob(blob.digest, 0, signal);
  const content: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunksOf(readable(body, options), chunkBytes + 1)) {
    bytes += chunk.length;
    if (bytes > blob.size) throw tooLong(options);
    content.push(Buffer.from(chunk));
  }
  if (bytes < blob.size) throw truncated(options, bytes);
  const whole = Buffer.concat(content);
  const digest = digestLike(blob.digest, whole);
  if (digest !== blob.digest) throw mismatch(options, digest);
  await session.finish(blob.digest, whole, signal);
  onSent(bytes);
}

async function* readable(body: Readable, { from, blob }: CopyBlobOptions): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (cause) {
    throw new RegistryError(0, `blob ${blob.digest} of ${nameOf(from)} broke off: ${messageOf(cause)}`, {
      cause,
    });
  }
}

function truncated({ blob, from }: CopyBlobOptions, bytes: number) {
  return errors.BlobTruncated(
    `blob ${blob.digest} of ${nameOf(from)} ended after ${bytes} of ${blob.size} bytes`,
  );
}

function tooLong({ blob, from }: CopyBlobOptions) {
  return errors.TooLarge(
    `blob ${blob.digest} of ${nameOf(from)} is longer than the ${blob.size} bytes of its manifest`,
  );
}

function mismatch({ blob, from }: CopyBlobOptions, digest: string) {
  return errors.DigestMismatch(
    `blob ${blob.digest} of ${nameOf(from)} has the digest ${digest}: the registry gave something else`,
  );
}

function nameOf({ registry, name }: Repository): string {
  return `${registry.host}/${name}`;
}
