import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "@keelson/apiserver";
import { kubernetesVersionOf } from "../settings/cluster-settings.ts";
import type { PayloadFailure } from "./payload-failure.ts";
import type { ReleaseManifest, ReleasePayload } from "./release-manifest.ts";

/** Release manifests of one cluster: the manifests of each version, the applied manifests, and the failures. */
export class ClusterPayload {
  readonly #payload: ReleasePayload | undefined;
  readonly #failureListeners = new Set<() => void>();
  readonly #appliedListeners = new Set<() => void>();
  #failures: readonly PayloadFailure[] = [];
  #applied: readonly ReleaseManifest[] = [];
  #read: { readonly version: string; readonly manifests: readonly ReleaseManifest[] } | undefined;

  /** Without `payload`, releases contain no manifests. */
  constructor(payload?: ReleasePayload) {
    this.#payload = payload;
  }

  /** Returns the manifests of a version in file order. */
  manifests(version: string): readonly ReleaseManifest[] {
    if (!this.#payload) return [];
    if (this.#read?.version !== version) {
      const manifests = this.#payload({ version, kubernetesVersion: kubernetesVersionOf(version) });
      this.#read = { version, manifests: manifests.toSorted((a, b) => byText(a.file, b.file)) };
    }
    return this.#read.manifests;
  }

  /** True if the release of a version contains an object with this kind and name. */
  brings(version: string, { kind, metadata }: Pick<KubeObject, "kind" | "metadata">): boolean {
    return this.manifests(version).some(({ object }) => isSameObject(object, { kind, metadata }));
  }

  /** Manifests that were last applied to the cluster. */
  get applied(): readonly ReleaseManifest[] {
    return this.#applied;
  }

  /** Failures of the last attempt to apply manifests. */
  get failures(): readonly PayloadFailure[] {
    return this.#failures;
  }

  /** Records the result of an attempt to apply manifests. */
  report(applied: readonly ReleaseManifest[], failures: readonly PayloadFailure[]): void {
    if (!isDeepStrictEqual(failures, this.#failures)) {
      this.#failures = failures;
      for (const listener of this.#failureListeners) listener();
    }
    if (isDeepStrictEqual(applied, this.#applied)) return;
    this.#applied = applied;
    for (const listener of this.#appliedListeners) listener();
  }

  /** Calls `listener` when the failures change. Returns a function that unsubscribes. */
  onFailures(listener: () => void): () => void {
    this.#failureListeners.add(listener);
    return () => this.#failureListeners.delete(listener);
  }

  /** Calls `listener` when the set of applied manifests changes. Returns a function that unsubscribes. */
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
