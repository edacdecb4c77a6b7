import { clusters, singleton } from "@keelson/aro-api";
import { type Clock, timeLimit } from "@keelson/base";
import type { Cache, Condition } from "@keelson/controller";
import type { KubeApi } from "@keelson/kube";
import { patchStatus } from "@keelson/operator-kit/objects";

export interface ClusterStatusOptions {
  readonly api: KubeApi;
  readonly cache: Pick<Cache, "known">;
  /** Written as `status.operatorVersion` with every change. Unset for the role that does not own it. */
  readonly operatorVersion?: string;
  /** False for condition types that the owner of `operatorVersion` removes. */
  readonly isKnownCondition: (type: string) => boolean;
  readonly clock: Clock;
}

/** A condition's message is shown in lists: the API's etcd is no log. */
const maxMessage = 4_096;

interface Pending {
  readonly conditions: Map<string, Condition>;
  readonly members: Map<string, unknown>;
  readonly written: Promise<void>;
}

/**
 * Writes the status of the Cluster. Concurrent calls are combined into one request. Each request is a JSON
 * patch of single conditions that tests the replaced values. It therefore never overwrites conditions of
 * other writers, such as the second role or an administrator. Equal conditions are not written.
 */
export class ClusterStatus {
  readonly #options: ClusterStatusOptions;
  #pending: Pending | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** True after a failed write. The server may have stored it although the cache does not show it yet. */
  #isUncertain = false;

  constructor(options: ClusterStatusOptions) {
    this.#options = options;
  }

  /** Resolves when the conditions are written. `lastTransitionTime` changes only with the status. */
  set(conditions: readonly Condition[]): Promise<void> {
    const pending = this.#open();
    for (const each of conditions)
      pending.conditions.set(each.type, { ...each, message: (each.message ?? "").slice(0, maxMessage) });
    return pending.written;
  }

  /** Sets fields of the status other than conditions, such as `redHatKeysPresent`. */
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
    // Collects the reports of all controllers in one event loop turn.
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
