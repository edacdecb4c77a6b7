import type { Backoff, Clock } from "@keelson/base";
import type { ReleaseRules } from "./graph/choose-releases.ts";
import type { PayloadRepositories } from "./graph/release-graph.ts";
import type { RegistryCredential } from "./registry/credentials.ts";
import type { ImageResult, ReleaseResult } from "./report.ts";
import type { SignatureRule } from "./signatures/signature-policy.ts";

/** Connection settings of one registry. Mirroring never contacts a registry without settings. */
export interface RegistrySettings {
  readonly credential: RegistryCredential;
  readonly authHosts: readonly string[];
  readonly redirectHosts: readonly string[];
  readonly caPem?: string;
}

interface MirrorLimits {
  readonly parallelImages: number;
  readonly parallelBlobs: number;
  readonly chunkBytes: number;
  readonly attempts: Backoff;
}

/** Progress event. */
export type MirrorEvent =
  | { readonly kind: "release-read"; readonly version: string; readonly images: number }
  | { readonly kind: "image"; readonly result: ImageResult; readonly done: number; readonly known: number }
  | { readonly kind: "release"; readonly result: ReleaseResult }
  | { readonly kind: "bytes"; readonly sentBytes: number };

export interface MirrorOptions {
  /** Host of the destination registry. */
  readonly destination: string;
  readonly registries: Readonly<Record<string, RegistrySettings>>;
  /** Images that are mirrored in addition to releases. They are copied before the releases. */
  readonly images: readonly string[];
  /**
   * Requested versions, including `latest`. An empty list selects all versions of the graph. If undefined, no releases are
   * mirrored.
   */
  readonly versions: readonly string[] | undefined;
  readonly latest: string;
  /**
   * Payload image of the release `latest`. Because of this setting, the release graph is not read if only `latest` is requested.
   */
  readonly latestPayload: string;
  readonly rules: ReleaseRules;
  readonly graph: {
    readonly url: string;
    readonly caPem?: string;
    readonly repositories: PayloadRepositories;
  };
  readonly signatures: readonly SignatureRule[];
  readonly limits: MirrorLimits;
  /** Directory with the state of unfinished uploads. */
  readonly stateDirectory: string;
  /** True to report the images to copy without changing anything. */
  readonly dryRun: boolean;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly onEvent: (event: MirrorEvent) => void;
  readonly signal: AbortSignal;
}
