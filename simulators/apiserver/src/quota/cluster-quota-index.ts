import { objectAt } from "@keelson/base";
import { bucketOf } from "../resources/served-resource.ts";
import type { RevisionStore } from "../storage/revision-store.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { isSameSelector, type NamespaceSelector, namespaceSelectorOf } from "./namespace-selector.ts";

/**
 * Bucket of OpenShift's ClusterResourceQuotas, which limit the total usage of several namespaces. The bucket is empty unless the
 * cluster has their CustomResourceDefinition.
 */
export const clusterQuotaBucket = bucketOf("quota.openshift.io", "clusterresourcequotas");
export const namespaceBucket = "/namespaces";

/** Maximum number of effective quotas of a cluster, because each write in a namespace considers all of them. */
const maxQuotas = 100;
/** Maximum number of resources that an effective quota limits. */
const maxLimits = 100;
/** Maximum size of an effective quota in bytes, because each write in a selected namespace stores the quota again. */
const maxQuotaBytes = 65_536;

interface Known {
  readonly revision: number;
  /** Undefined if the quota selects no namespace. */
  readonly selector: NamespaceSelector | undefined;
}

/**
 * Effective ClusterResourceQuotas of a cluster, by namespace. Only the first quotas by name are effective, and only if they are
 * small. Selectors are parsed once for each revision of a quota, and compared once for each revision of a namespace.
 */
export class ClusterQuotaIndex {
  static readonly #ofStores = new WeakMap<RevisionStore, ClusterQuotaIndex>();
  readonly #store: RevisionStore;
  #known = new Map<string, Known>();
  /** Revision of the bucket that `#known` reflects. */
  #revision = 0;
  #matches = new WeakMap<StoredObject, readonly string[]>();

  private constructor(store: RevisionStore) {
    this.#store = store;
  }

  static of(store: RevisionStore): ClusterQuotaIndex {
    const index = ClusterQuotaIndex.#ofStores.get(store) ?? new ClusterQuotaIndex(store);
    ClusterQuotaIndex.#ofStores.set(store, index);
    return index;
  }

  /** Names of the effective quotas, in order. */
  names(): readonly string[] {
    this.#refresh();
    return [...this.#known.keys()];
  }

  has(name: string): boolean {
    this.#refresh();
    return this.#known.has(name);
  }

  /** True if more quotas may exist than are effective. The deletion of a quota then makes a further quota effective. */
  get isFull(): boolean {
    return this.#store.count(clusterQuotaBucket) >= maxQuotas;
  }

  /** Names of the quotas that select a revision of a namespace. */
  matching(namespace: StoredObject): readonly string[] {
    this.#refresh();
    const known = this.#matches.get(namespace);
    if (known) return known;
    const { labels } = namespace;
    const annotations = () => namespace.object.metadata.annotations ?? {};
    const found = [...this.#known].flatMap(([name, { selector }]) =>
      selector?.selects({ labels, annotations }) ? [name] : [],
    );
    this.#matches.set(namespace, found);
    return found;
  }

  /** Returns the quotas that select the current revision of a namespace. */
  quotasOf(namespace: string): readonly StoredObject[] {
    if (this.#store.count(clusterQuotaBucket) === 0) return [];
    const owner = this.#store.get(namespaceBucket, namespace);
    if (!owner) return [];
    return this.matching(owner).flatMap((name) => this.#store.get(clusterQuotaBucket, name) ?? []);
  }

  #refresh(): void {
    const revision = this.#store.lastRevision(clusterQuotaBucket);
    if (revision === this.#revision) return;
    this.#revision = revision;
    const before = this.#known;
    this.#known = new Map(
      this.#store
        .range(clusterQuotaBucket, "", maxQuotas)
        .map((stored) => [stored.key, knownOf(stored, before.get(stored.key))]),
    );
    const isSame =
      before.size === this.#known.size &&
      [...this.#known].every(
        ([name, { selector }]) => before.has(name) && isSameSelector(selector, before.get(name)?.selector),
      );
    if (!isSame) this.#matches = new WeakMap();
  }
}

function knownOf(stored: StoredObject, before: Known | undefined): Known {
  const { revision } = stored;
  if (before?.revision === revision) return before;
  const selector = isSmall(stored) ? namespaceSelectorOf(stored.object) : undefined;
  // Keeps the previous selector if it is equal, so that the next comparison is short.
  return { revision, selector: isSameSelector(selector, before?.selector) ? before?.selector : selector };
}

function isSmall(stored: StoredObject): boolean {
  return (
    stored.size <= maxQuotaBytes &&
    Object.keys(objectAt(stored.object, "spec", "quota", "hard")).length <= maxLimits
  );
}
