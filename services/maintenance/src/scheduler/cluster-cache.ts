import { isDeepStrictEqual } from "node:util";
import type { ResourceKey } from "@keelson/arm";
import { allDocuments } from "@keelson/database";
import {
  type ClusterDocument,
  type SelectorValues,
  type ServiceDatabase,
  type Subscription,
  selectorsOf,
} from "@keelson/model";

/** Cached data of a cluster. */
export interface CachedCluster {
  readonly key: ResourceKey;
  readonly documentId: string;
  readonly bucket: number;
  readonly selectors: SelectorValues;
}

/**
 * Cache of the clusters that are eligible for maintenance, by key. The change feed reader updates the cache. The cache omits
 * clusters that are being created or deleted, and clusters with a failed creation or deletion.
 */
export class ClusterCache {
  readonly #database: ServiceDatabase;
  /** DNS zone of the service. Cluster domains are in this zone. */
  readonly #domain: string;
  readonly #documents = new Map<string, ClusterDocument>();
  /** Cache keys by document ID, because the change feed reports document IDs. */
  readonly #keys = new Map<string, ResourceKey>();
  readonly #subscriptions = new Map<string, Subscription>();

  constructor(database: ServiceDatabase, domain: string) {
    this.#database = database;
    this.#domain = domain;
  }

  get(key: string): CachedCluster | undefined {
    const document = this.#documents.get(key);
    if (!document) return undefined;
    const subscription = this.#subscriptions.get(document.partitionKey);
    const selectors = selectorsOf(document, subscription, this.#domain);
    return { key: document.key, documentId: document.id, bucket: document.bucket, selectors };
  }

  keys(): readonly string[] {
    return [...this.#documents.keys()];
  }

  /** Reloads all clusters. */
  async load(signal: AbortSignal): Promise<void> {
    const { clusters, subscriptions } = this.#database.collections;
    this.#documents.clear();
    this.#keys.clear();
    this.#subscriptions.clear();
    for await (const { document } of allDocuments(subscriptions, signal)) {
      this.#subscriptions.set(document.id, document.subscription);
    }
    for await (const { document } of allDocuments(clusters, signal)) this.#keep(document);
  }

  /** Reloads one cluster. Returns the cluster's key if the change affects maintenance. */
  async refreshCluster(partitionKey: string, id: string, signal: AbortSignal): Promise<string | undefined> {
    const stored = await this.#database.collections.clusters.find(partitionKey, id, signal);
    const key = stored?.document.key ?? this.#keys.get(id);
    if (key === undefined) return undefined;
    const before = this.get(key);
    if (stored) this.#keep(stored.document);
    else this.#forget(key, id);
    const after = this.get(key);
    return after && !isDeepStrictEqual(before, after) ? key : undefined;
  }

  /** Reloads a subscription and all its clusters. */
  async refreshSubscription(id: string, signal: AbortSignal): Promise<readonly string[]> {
    const stored = await this.#database.collections.subscriptions.find(id, id, signal);
    if (stored?.document.subscription.state === this.#subscriptions.get(id)?.state) return [];
    if (stored) this.#subscriptions.set(id, stored.document.subscription);
    else this.#subscriptions.delete(id);
    const ofThis = [...this.#documents.values()].filter(({ partitionKey }) => partitionKey === id);
    return ofThis.map(({ key }) => key);
  }

  #keep(document: ClusterDocument): void {
    const { key, id } = document;
    this.#forget(key, id);
    if (!isMaintained(document)) return;
    this.#documents.set(key, withoutSecrets(document));
    this.#keys.set(id, key);
  }

  /** Removes the cluster only if it has this document ID. A newer cluster may have the key of the removed cluster. */
  #forget(key: ResourceKey, id: string): void {
    this.#keys.delete(id);
    if (this.#documents.get(key)?.id === id) this.#documents.delete(key);
  }
}

function isMaintained({ openShiftCluster: { properties } }: ClusterDocument): boolean {
  const unfinished = ["Creating", "Deleting"];
  const { provisioningState, failedProvisioningState = "" } = properties;
  if (unfinished.includes(provisioningState)) return false;
  return provisioningState !== "Failed" || !unfinished.includes(failedProvisioningState);
}

/**
 * Returns the document without its encrypted secrets, to save memory. The secrets are the largest part of the document, and
 * maintenance selectors do not use them.
 */
function withoutSecrets(document: ClusterDocument): ClusterDocument {
  const {
    sshKey: _sshKey,
    adminKubeconfig: _admin,
    aroServiceKubeconfig: _service,
    aroSREKubeconfig: _sre,
    userAdminKubeconfig: _user,
    kubeadminPassword: _password,
    installState: _state,
    installGraphKey: _graphKey,
    registryProfiles: _registries,
    ...properties
  } = document.openShiftCluster.properties;
  return { ...document, openShiftCluster: { ...document.openShiftCluster, properties } };
}
