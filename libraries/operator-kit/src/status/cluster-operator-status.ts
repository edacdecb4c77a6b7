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
  /** Conditions of other types stay. */
  readonly conditions?: readonly Condition[];
  /** Complete list. Default: unchanged. */
  readonly versions?: readonly ClusterOperatorVersion[];
  /** Complete list. Default: unchanged. */
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
 * Writes the status of one ClusterOperator and creates a missing one. Conditions are patched individually, so
 * conditions of other writers stay. Writes nothing without a difference.
 */
export class ClusterOperatorStatus {
  readonly #options: ClusterOperatorStatusOptions;

  constructor(options: ClusterOperatorStatusOptions) {
    this.#options = options;
  }

  /** Returns the ClusterOperator from the cache, or else from the server. */
  async find(signal: AbortSignal): Promise<KubeObject | undefined> {
    const { api, cache, name } = this.#options;
    const known = cache.known(resource, { name });
    return known ? known.object : api.find(resource, { name }, signal);
  }

  /** False when nothing differed. */
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
      // A second writer created it, or the cache is stale.
      if (!isConflict(error)) throw error;
      return api.get(resource, { name }, signal);
    });
  }
}
