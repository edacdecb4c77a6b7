import { BlobCopier } from "./copy/blob-copier.ts";
import { forEachLimited } from "./copy/for-each-limited.ts";
import { UploadRecords } from "./copy/upload-records.ts";
import { type ChosenReleases, checkVersions, chooseReleases } from "./graph/choose-releases.ts";
import { type Release, readReleaseGraph, type SkippedNode } from "./graph/release-graph.ts";
import { parseReleaseVersion } from "./graph/release-version.ts";
import { describeError, type MirrorImageContext, mirrorImage } from "./mirror-image.ts";
import type { MirrorOptions } from "./mirror-options.ts";
import { Registries } from "./registries.ts";
import {
  formatImageReference,
  type ImageReference,
  parseImageReference,
  referenceOf,
} from "./registry/image-reference.ts";
import { payloadImages } from "./release/payload-images.ts";
import type { ImageResult, MirrorReport, ReleaseResult } from "./report.ts";
import { assertSigned } from "./signatures/signature-policy.ts";

/**
 * Mirrors first the additional images and then the releases, one at a time. A failure is added to the report, and mirroring
 * continues with the next image.
 * @throws UnsupportedVersion, UnknownVersion, InvalidReference before anything is copied; GraphUnusable, MirrorBusy,
 * StateUnusable; the abort reason of the signal
 */
export async function runMirror(options: MirrorOptions): Promise<MirrorReport> {
  const asked = options.versions && checkVersions(options.versions, options.latest, options.rules);
  const images = options.images.map(parseImageReference);
  const { releases, skipped } = asked ? await findReleases(asked, options) : { releases: [], skipped: [] };
  await using registries = new Registries(options);
  using records = options.dryRun ? undefined : await UploadRecords.open(options.stateDirectory);
  return await new Run(options, registries, records).all(images, releases, skipped);
}

/**
 * Returns the requested releases. If only `latest` is requested, the graph is not read, because the payload location of `latest`
 * is configured.
 */
async function findReleases(asked: readonly string[], options: MirrorOptions): Promise<ChosenReleases> {
  const { latest, latestPayload, rules, clock, signal, limits } = options;
  const version = parseReleaseVersion(latest);
  if (version && options.versions?.length === 1 && asked[0] === latest && isLatest(options.versions[0]))
    return { releases: [{ version, payload: parseImageReference(latestPayload) }], skipped: [] };
  const { url, ...ofGraph } = options.graph;
  const graph = await readReleaseGraph(url, { ...ofGraph, attempts: limits.attempts, clock, signal });
  const { releases, skipped } = chooseReleases(graph, asked, rules);
  return { releases, skipped: [...graph.skipped, ...skipped] };
}

function isLatest(text: string | undefined): boolean {
  return text?.toLowerCase() === "latest";
}

class Run {
  readonly #options: MirrorOptions;
  readonly #context: MirrorImageContext;
  readonly #results = new Map<string, ImageResult>();
  readonly #warnings: string[] = [];
  #known = 0;
  #sentBytes = 0;

  constructor(options: MirrorOptions, registries: Registries, records: UploadRecords | undefined) {
    this.#options = options;
    const { limits, clock, onEvent } = options;
    const blobs =
      records &&
      new BlobCopier({
        records,
        chunkBytes: limits.chunkBytes,
        attempts: limits.attempts,
        clock,
        onBytes: (count) => {
          this.#sentBytes += count;
          onEvent({ kind: "bytes", sentBytes: this.#sentBytes });
        },
      });
    this.#context = { options, registries, blobs, warn: (text) => void this.#warnings.push(text) };
  }

  async all(
    images: readonly ImageReference[],
    releases: readonly Release[],
    skipped: readonly SkippedNode[],
  ): Promise<MirrorReport> {
    const { destination, dryRun, onEvent } = this.#options;
    await this.#images(images);
    const results: ReleaseResult[] = [];
    for (const each of releases) {
      const result = await this.#release(each);
      results.push(result);
      onEvent({ kind: "release", result });
    }
    return {
      destination,
      dryRun,
      images: [...this.#results.values()],
      releases: results,
      skippedNodes: skipped,
      warnings: this.#warnings,
      sentBytes: this.#sentBytes,
    };
  }

  /** Mirrors one release. The payload is copied last. If the destination has the payload, the release is therefore complete. */
  async #release({ version, payload }: Release): Promise<ReleaseResult> {
    const { signal, signatures, clock, onEvent } = this.#options;
    const result = { version: version.text, payload: formatImageReference(payload) };
    let images: readonly ImageReference[];
    try {
      const repository = this.#context.registries.repository(payload, "pull");
      const { digest } = await repository.manifest(referenceOf(payload), signal);
      // The signature is verified before the payload's content is read.
      await assertSigned(digest, repository, signatures, clock, signal);
      images = await payloadImages({ ...payload, digest }, repository, signal);
    } catch (error) {
      signal.throwIfAborted();
      return { ...result, images: 0, failed: 0, error: describeError(error) };
    }
    onEvent({ kind: "release-read", version: version.text, images: images.length + 1 });
    const failed = await this.#images(images);
    if (failed > 0) return { ...result, images: images.length + 1, failed, error: incomplete(failed) };
    const failedPayload = await this.#images([payload]);
    const all = [...images, payload];
    return { ...result, images: all.length, failed: failedPayload, ...this.#missing(all) };
  }

  /**
   * Returns an object with the number of images that the destination lacks. Returns an empty object if the run is not a dry run.
   */
  #missing(images: readonly ImageReference[]): { readonly missing?: number } {
    if (!this.#options.dryRun) return {};
    const names = new Set(images.map(formatImageReference));
    return {
      missing: [...names].filter((name) => this.#results.get(name)?.status === "missing").length,
    };
  }

  /** Mirrors images and returns the number of failures. An image shared by several releases is copied once. */
  async #images(images: readonly ImageReference[]): Promise<number> {
    const { limits, onEvent } = this.#options;
    const fresh = images.filter((image) => !this.#results.has(formatImageReference(image)));
    this.#known += fresh.length;
    await forEachLimited(fresh, limits.parallelImages, async (image) => {
      const result = await mirrorImage(image, this.#context);
      this.#results.set(result.source, result);
      onEvent({ kind: "image", result, done: this.#results.size, known: this.#known });
    });
    return images.filter((image) => this.#results.get(formatImageReference(image))?.status === "failed")
      .length;
  }
}

function incomplete(failed: number) {
  return {
    code: "ReleaseIncomplete",
    message: `${failed} of its images failed, so its payload was not copied: run the command again`,
  };
}
