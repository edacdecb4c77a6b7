import type { Clock } from "@keelson/base";
import type { Cache, Condition } from "@keelson/controller";
import { apiVersionOf, isConflict, type KubeApi, type KubeObject, resources } from "@keelson/kube";
import { patchStatus } from "../objects/status-patch.ts";

export interface ClusterOperatorVersion {
  readonly name: string;
  readonly version: string;
}

/** Object that `oc adm must-gather` collects for the operator. */
export interface RelatedObject {
  readonly group: string;
  readonly resource: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface ClusterOperatorReport {
  /** Conditions to set. Conditions of other types are kept. */
  readonly conditions?: readonly Condition[];
  /** Complete list of versions. Default: unchanged. */
  readonly versions?: readonly ClusterOperatorVersion[];
  /** Complete list of related objects. Default: unchanged. */
  readonly relatedObjects?: readonly RelatedObject[];
}

export interface ClusterOperatorStatusOptions {
  readonly name: string;
  readonly api: KubeApi;
  readonly cache: Cache;
  readonly clock: Clock;
}

const resource = resources.clusterOperators;

/**
 * Writes the status of one ClusterOperator. Creates the ClusterOperator if it is missing. Conditions are patched individually, so
 * conditions of other writers are kept. Writes nothing if the status is unchanged.
 */
export class ClusterOperatorStatus {
  readonly #options: ClusterOperatorStatusOptions;

  constructor(options: ClusterOperatorStatusOptions) {
    this.#options = options;
  }

  /** Returns the ClusterOperator from the cache, or from the server if it is not cached. */
  async find(signal: AbortSignal): Promise<KubeObject | undefined> {
    const { api, cache, name } = this.#options;
    const known = cache.known(resource, { name });
    return known ? known.object : api.find(resource, { name }, signal);
  }

  /** Writes the report to the status. Returns false if the status already equals the report. */
  async report(
    { conditions = [], versions, relatedObjects }: ClusterOperatorReport,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { api, clock } = this.#options;
    const live = (await this.find(signal)) ?? (await this.#create(signal));
    const members = { ...(versions ? { versions } : {}), ...(relatedObjects ? { relatedObjects } : {}) };
    return patchStatus(api, resource, live, { conditions, members }, clock.now(), signal);
  }

  async #create(signal: AbortSignal): Promise<KubeObject> {
    const { api, name } = this.#options;
    const object = {
      apiVersion: apiVersionOf(resource),
      kind: resource.kind,
      metadata: { name },
      spec: {},
    };
    return api.create(resource, object, signal).catch((error) => {
      // A second writer has created the ClusterOperator, or the cache is stale.
      if (!isConflict(error)) throw error;
      return api.get(resource, { name }, signal);
    });
  }
}
