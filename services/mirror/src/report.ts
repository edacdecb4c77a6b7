import type { SkippedNode } from "./graph/release-graph.ts";

type ImageStatus = "copied" | "present" | "missing" | "failed";

/** What became of one image; `missing` is what a dry run would copy. */
export interface ImageResult {
  readonly source: string;
  readonly destination: string;
  readonly status: ImageStatus;
  /** Sum of the sizes of its parts, shared ones included; 0 for what was there. */
  readonly bytes: number;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface ReleaseResult {
  readonly version: string;
  readonly payload: string;
  /** Images of the release, the payload included. */
  readonly images: number;
  readonly failed: number;
  /** Why its images could not be found out. */
  readonly error?: { readonly code: string; readonly message: string };
}

/** What a run came to. Whatever failed is in it. */
export interface MirrorReport {
  readonly destination: string;
  readonly dryRun: boolean;
  readonly images: readonly ImageResult[];
  readonly releases: readonly ReleaseResult[];
  readonly skippedNodes: readonly SkippedNode[];
  /** What did not work, and does not matter for the images themselves. */
  readonly warnings: readonly string[];
  /** Bytes that were sent to the destination. */
  readonly sentBytes: number;
}

export interface Failure {
  readonly subject: string;
  readonly code: string;
  readonly message: string;
}

/** Everything that failed, images first. */
export function failuresOf({ images, releases }: MirrorReport): readonly Failure[] {
  const ofImages = images.flatMap(({ source, error }) => (error ? [{ subject: source, ...error }] : []));
  const ofReleases = releases.flatMap(({ version, error }) =>
    error ? [{ subject: `release ${version}`, ...error }] : [],
  );
  return [...ofImages, ...ofReleases];
}
