import type { SkippedNode } from "./graph/release-graph.ts";

type ImageStatus = "copied" | "present" | "missing" | "failed";

/** Result for one image. `missing` is an image that a dry run would copy. */
export interface ImageResult {
  readonly source: string;
  readonly destination: string;
  readonly status: ImageStatus;
  /** Total size, shared blobs included. 0 for an existing image. */
  readonly bytes: number;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface ReleaseResult {
  readonly version: string;
  readonly payload: string;
  /** Number of images of the release, including the payload. */
  readonly images: number;
  readonly failed: number;
  /** Reason why the release's images are unknown. */
  readonly error?: { readonly code: string; readonly message: string };
}

/** Result of a run, including its failures. */
export interface MirrorReport {
  readonly destination: string;
  readonly dryRun: boolean;
  readonly images: readonly ImageResult[];
  readonly releases: readonly ReleaseResult[];
  readonly skippedNodes: readonly SkippedNode[];
  /** Problems that do not affect the images themselves. */
  readonly warnings: readonly string[];
  /** Number of bytes sent to the destination. */
  readonly sentBytes: number;
}

export interface Failure {
  readonly subject: string;
  readonly code: string;
  readonly message: string;
}

/** Returns all failures, images first. */
export function failuresOf({ images, releases }: MirrorReport): readonly Failure[] {
  const ofImages = images.flatMap(({ source, error }) => (error ? [{ subject: source, ...error }] : []));
  const ofReleases = releases.flatMap(({ version, error }) =>
    error ? [{ subject: `release ${version}`, ...error }] : [],
  );
  return [...ofImages, ...ofReleases];
}
