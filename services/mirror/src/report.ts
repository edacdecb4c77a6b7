import type { SkippedNode } from "./graph/release-graph.ts";

type ImageStatus = "copied" | "present" | "missing" | "failed";

/** Result for one image. The state `missing` means that a dry run found an image to copy. */
export interface ImageResult {
  readonly source: string;
  readonly destination: string;
  readonly status: ImageStatus;
  /** Total size in bytes, including shared blobs. 0 for an image that the destination already has. */
  readonly bytes: number;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface ReleaseResult {
  readonly version: string;
  readonly payload: string;
  /** Number of images of the release, including the payload. */
  readonly images: number;
  readonly failed: number;
  /** Number of images to copy. Set only by a dry run. */
  readonly missing?: number;
  /** Reason why the images of the release could not be listed. */
  readonly error?: { readonly code: string; readonly message: string };
}

/** Result of a run, including its failures. */
export interface MirrorReport {
  readonly destination: string;
  readonly dryRun: boolean;
  readonly images: readonly ImageResult[];
  readonly releases: readonly ReleaseResult[];
  readonly skippedNodes: readonly SkippedNode[];
  /** Problems that do not affect the copied images. */
  readonly warnings: readonly string[];
  /** Number of bytes sent to the destination. */
  readonly sentBytes: number;
}

export interface Failure {
  readonly subject: string;
  readonly code: string;
  readonly message: string;
}

/** Returns all failures, failed images first. */
export function failuresOf({ images, releases }: MirrorReport): readonly Failure[] {
  const ofImages = images.flatMap(({ source, error }) => (error ? [{ subject: source, ...error }] : []));
  const ofReleases = releases.flatMap(({ version, error }) =>
    error ? [{ subject: `release ${version}`, ...error }] : [],
  );
  return [...ofImages, ...ofReleases];
}
