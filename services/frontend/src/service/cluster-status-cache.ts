import type { ConnectCluster } from "@keelson/admin-actions";
import { type Clock, type Logger, messageOf } from "@keelson/base";
import { type LiveProfiles, readLiveProfiles, withLiveProfiles } from "@keelson/cluster";
import { clusterLimits } from "@keelson/kube";
import type { ClusterDocument, OpenShiftCluster } from "@keelson/model";
import { SharedReads } from "../azure-checks/shared-reads.ts";

/** Maximum time in ms to wait for the response of a cluster. */
const limitMs = 5_000;
const keptMs = 5_000;
/**
 * Limits of one read. The MachineSets of the largest supported cluster are 15 MB before the parser selects the required fields.
 */
export const liveReader = {
  name: "frontend",
  limits: {
    ...clusterLimits,
    bytes: 8 * 2 ** 20,
    objectTokens: 5_000,
    selectedBytes: 16 * 2 ** 20,
    totalBytes: 128 * 2 ** 20,
    totalTokens: 16_000_000,
    cpu: 10_000,
  },
};
/** Time in ms after a failed read in which the cluster is not read again. */
const restMs = 30_000;
const maxKept = 1_000;

export interface ClusterStatusCacheOptions {
  readonly connectCluster: ConnectCluster;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly lifetime: AbortSignal;
}

/**
 * Caches the current state of clusters. Cluster administrators upgrade clusters and change workers and routers without the
 * service. The service therefore reads this state from the cluster for its responses, and caches it for seconds. If a read fails,
 * the response contains the stored state.
 */
export class ClusterStatusCache {
  readonly #options: ClusterStatusCacheOptions;
  readonly #reads = new SharedReads<LiveProfiles>(limitMs);
  readonly #kept = new Map<string, { readonly profiles: LiveProfiles; readonly untilMs: number }>();
  /** Stored clusters merged with their current state, by stored cluster. Repeated reads therefore return the same object. */
  readonly #merged = new WeakMap<OpenShiftCluster, { from: LiveProfiles; cluster: OpenShiftCluster }>();

  constructor(options: ClusterStatusCacheOptions) {
    this.#options = options;
  }

  /** Returns the cluster in its current state. If the cluster does not respond, the last known or stored values are used. */
  async get(document: ClusterDocument, signal: AbortSignal): Promise<OpenShiftCluster> {
    const { openShiftCluster } = document;
    if (!responds(openShiftCluster)) return openShiftCluster;
    const from = await this.#profilesOf(document, signal);
    if (Object.keys(from).length === 0) return openShiftCluster;
    const known = this.#merged.get(openShiftCluster);
    if (known?.from === from) return known.cluster;
    const cluster = withLiveProfiles(openShiftCluster, from);
    this.#merged.set(openShiftCluster, { from, cluster });
    return cluster;
  }

  async #profilesOf(document: ClusterDocument, signal: AbortSignal): Promise<LiveProfiles> {
    const { clock, logger } = this.#options;
    const known = this.#kept.get(document.id);
    if (known && clock.monotonicMs() < known.untilMs) return known.profiles;
    try {
      const profiles = await this.#reads.of(document.id, (shared) => this.#read(document, shared), signal);
      return this.#keep(document.id, profiles, keptMs);
    } catch (error) {
      signal.throwIfAborted();
      logger.debug({ reason: messageOf(error) }, `current state of ${document.key} could not be read`);
      return this.#keep(document.id, known?.profiles ?? {}, restMs);
    }
  }

  async #read(document: ClusterDocument, shared: AbortSignal): Promise<LiveProfiles> {
    const { connectCluster, logger, lifetime } = this.#options;
    const signal = AbortSignal.any([shared, lifetime]);
    await using context = connectCluster(document, { logger, signal, reader: liveReader });
    return await readLiveProfiles(context.kube(), document.openShiftCluster, signal);
  }

  #keep(id: string, profiles: LiveProfiles, forMs: number): LiveProfiles {
    this.#kept.delete(id);
    this.#kept.set(id, { profiles, untilMs: this.#options.clock.monotonicMs() + forMs });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest);
    return profiles;
  }
}

/** True if the API server of a cluster in this state should respond. */
function responds({ properties }: OpenShiftCluster): boolean {
  const { provisioningState, failedProvisioningState, aroServiceKubeconfig } = properties;
  const state = provisioningState === "Failed" ? failedProvisioningState : provisioningState;
  return aroServiceKubeconfig !== undefined && state !== "Creating" && state !== "Deleting";
}

/**
 * Returns the cluster to store after an update that was based on the current state. Of the current state, only the version is
 * stored. All other current values would become desired values of the customer if they were stored.
 */
export function asStored(
  changed: OpenShiftCluster,
  live: OpenShiftCluster,
  stored: OpenShiftCluster,
): OpenShiftCluster {
  if (live === stored) return changed;
  const { workerProfilesStatus: _, ...properties } = changed.properties;
  const { ingressProfiles, workerProfilesStatus } = stored.properties;
  return {
    ...changed,
    properties: { ...properties, ingressProfiles, ...(workerProfilesStatus ? { workerProfilesStatus } : {}) },
  };
}
