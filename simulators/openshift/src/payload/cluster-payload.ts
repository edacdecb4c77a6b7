import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "@keelson/apiserver";
import { kubernetesVersionOf } from "../settings/cluster-settings.ts";
import type { PayloadFailure } from "./payload-failure.ts";
import type { ReleaseManifest, ReleasePayload } from "./release-manifest.ts";

/** What releases bring into one cluster, what of it is being kept, and what stands in the way. */
export class ClusterPayload {
  readonly #payload: ReleasePayload | undefined;
  readonly #failureListeners = new Set<() => void>();
  readonly #appliedListeners = new Set<() => void>();
  #failures: readonly PayloadFailure[] = [];
  #applied: readonly ReleaseManifest[] = [];
  #read: { readonly version: string; readonly manifests: readonly ReleaseManifest[] } | undefined;

  /** Without a payload a release brings nothing. */
  constructor(payload?: ReleasePayload) {
    this.#payload = payload;
  }

  /** The manifests of a version, in the order of their files. */
  manifests(version: string): readonly ReleaseManifest[] {
    if (!this.#payload) return [];
    if (this.#read?.version !== version) {
      const manifests = this.#payload({ version, kubernetesVersion: kubernetesVersionOf(version) });
      this.#read = { version, manifests: manifests.toSorted((a, b) => byText(a.file, b.file)) };
    }
    return this.#read.manifests;
  }

  /** Whether the release of a version brings an object of this kind and name. */
  brings(version: string, { kind, metadata }: Pick<KubeObject, "kind" | "metadata">): boolean {
    return this.manifests(version).some(({ object }) => isSameObject(object, { kind, metadata }));
  }

  /** The manifests that were last applied: those that are for the cluster. */
  get applied(): readonly ReleaseManifest[] {
    return this.#applied;
  }

  /** What of them failed. */
  get failures(): readonly PayloadFailure[] {
    return this.#failures;
  }

  /** Takes up how an attempt to apply them went. */
  report(applied: readonly ReleaseManifest[], failures: readonly PayloadFailure[]): void {
    if (!isDeepStrictEqual(failures, this.#failures)) {
      this.#failures = failures;
      for (const listener of this.#failureListeners) listener();
    }
    if (isDeepStrictEqual(applied, this.#applied)) return;
    this.#applied = applied;
    for (const listener of this.#appliedListeners) listener();
  }

  /** Calls `listener` when something else fails than before. Returns how to stop. */
  onFailures(listener: () => void): () => void {
    this.#failureListeners.add(listener);
    return () => this.#failureListeners.delete(listener);
  }

  /** Calls `listener` when other manifests are applied than before. Returns how to stop. */
  onApplied(listener: () => void): () => void {
    this.#appliedListeners.add(listener);
    return () => this.#appliedListeners.delete(listener);
  }
}

function isSameObject(one: KubeObject, other: Pick<KubeObject, "kind" | "metadata">): boolean {
  return (
    one.kind === other.kind &&
    one.metadata.name === other.metadata.name &&
    one.metadata.namespace === other.metadata.namespace
  );
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
