import type { Backoff, Clock } from "@keelson/base";
import type { Descriptor } from "../registry/manifest.ts";
import type { Repository } from "../registry/repository.ts";
import { type CopiedBlob, copyBlob } from "./copy-blob.ts";
import type { UploadRecords } from "./upload-records.ts";

export interface BlobCopierOptions {
  readonly records: UploadRecords;
  readonly chunkBytes: number;
  readonly attempts: Backoff;
  readonly clock: Clock;
  readonly onBytes: (count: number) => void;
}

/** State of a blob at the destination: the repositories that contain the blob, and the running copy, if any. */
interface Place {
  readonly repositories: Set<string>;
  inFlight: Promise<unknown>;
}

/**
 * Copies the blobs of many images to one registry. Images share most of their layers, so each blob is copied only once. All
 * further repositories that need the blob mount it.
 */
export class BlobCopier {
  readonly #options: BlobCopierOptions;
  readonly #places = new Map<string, Place>();

  constructor(options: BlobCopierOptions) {
    this.#options = options;
  }

  /** Copies or mounts a blob. @throws the errors of `copyBlob` */
  async copy(blob: Descriptor, from: Repository, to: Repository, signal: AbortSignal): Promise<CopiedBlob> {
    const place = this.#placeOf(blob.digest);
    const work = place.inFlight.then(() => this.#copyNow(place, blob, from, to, signal));
    place.inFlight = work.catch(() => undefined);
    return work;
  }

  async #copyNow(
    { repositories }: Place,
    blob: Descriptor,
    from: Repository,
    to: Repository,
    signal: AbortSignal,
  ): Promise<CopiedBlob> {
    if (repositories.has(to.name)) return "present";
    const [mountFrom] = repositories;
    const copied = await copyBlob({ ...this.#options, blob, from, to, mountFrom, signal });
    repositories.add(to.name);
    return copied;
  }

  #placeOf(digest: string): Place {
    const known = this.#places.get(digest);
    if (known) return known;
    const place: Place = { repositories: new Set(), inFlight: Promise.resolve() };
    this.#places.set(digest, place);
    return place;
  }
}
