import { clusters, singleton } from "@keelson/aro-api";
import { type Clock, timeLimit } from "@keelson/base";
import type { Cache, Condition } from "@keelson/controller";
import type { KubeApi } from "@keelson/kube";
import { patchStatus } from "@keelson/operator-kit/objects";

export interface ClusterStatusOptions {
  readonly api: KubeApi;
  readonly cache: Pick<Cache, "known">;
  /**
   * Value of `status.operatorVersion`, which is written together with every status change. Undefined in the operator role that
   * does not set this field.
   */
  readonly operatorVersion?: string | undefined;
  /**
   * Returns false for obsolete condition types. The operator role that sets `operatorVersion` removes conditions of these types.
   */
  readonly isKnownCondition: (type: string) => boolean;
  readonly clock: Clock;
}

/**
 * Maximum length of a condition message in characters. The limit keeps lists of Clusters readable, and etcd is not a log store.
 */
const maxMessage = 4_096;

interface Pending {
  readonly conditions: Map<string, Condition>;
  readonly members: Map<string, unknown>;
  readonly written: Promise<void>;
}

/**
 * Writes the status of the Cluster. Concurrent calls are combined into one request. Each request is a JSON patch that replaces
 * single conditions and tests their previous values. The patch therefore never overwrites conditions of other writers, such as
 * the second role or an administrator. Unchanged conditions are not written.
 */
export class ClusterStatus {
  readonly #options: ClusterStatusOptions;
  #pending: Pending | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** True after a failed write. The server may have stored the status although the cache does not contain it yet. */
  #isUncertain = false;

  constructor(options: ClusterStatusOptions) {
    this.#options = options;
  }

  /**
   * Sets conditions. Resolves when they are written. The `lastTransitionTime` of a condition changes only if its status changes.
   */
  set(conditions: readonly Condition[]): Promise<void> {
    const pending = this.#open();
    for (const each of conditions)
      pending.conditions.set(each.type, { ...each, message: (each.message ?? "").slice(0, maxMessage) });
    return pending.written;
  }

  /** Sets a status field other than the conditions, such as `redHatKeysPresent`. */
  setMember(name: string, value: unknown): Promise<void> {
    const pending = this.#open();
    pending.members.set(name, value);
    return pending.written;
  }

  #open(): Pending {
    if (this.#pending) return this.#pending;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const pending: Pending = { conditions: new Map(), members: new Map(), written: promise };
    this.#pending = pending;
    // The write is delayed, so that it contains the reports of all controllers from one event loop iteration.
    const write = async () => {
      await new Promise((next) => setImmediate(next));
      this.#pending = undefined;
      await this.#write(pending);
    };
    this.#last = this.#last.then(write).then(resolve, reject);
    return pending;
  }

  async #write({ conditions, members }: Pending): Promise<void> {
    const { api, cache, clock, operatorVersion, isKnownCondition } = this.#options;
    const signal = timeLimit(30_000);
    const known = this.#isUncertain ? undefined : cache.known(clusters, singleton)?.object;
    const live = known ?? (await api.get(clusters, singleton, signal));
    const owns = conditions.size > 0 && operatorVersion !== undefined;
    const change = {
      conditions: [...conditions.values()],
      obsolete: (type: string) => owns && !isKnownCondition(type),
      members: { ...(owns ? { operatorVersion } : {}), ...Object.fromEntries(members) },
    };
    this.#isUncertain = true;
    await patchStatus(api, clusters, live, change, clock.now(), signal);
    this.#isUncertain = false;
  }
}
