import { ignoreGone, scalarStringAt } from "@keelson/apimachinery";
import type { Result } from "@keelson/controller";
import { removeObject } from "../registry/remove.ts";
import type { RegistryContext } from "../resources/registry-context.ts";
import type { StoreEvent } from "../storage/revision-store.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { AddKey, StoreController } from "./store-controller.ts";

const bucket = "/events";
/** Default `event-ttl` of OpenShift's API server, in milliseconds. */
const defaultTtlMs = 3 * 3_600_000;
const events = { group: "", version: "v1", resource: "events" };

/**
 * Removes events after their TTL. All events share one key in the controller's queue. This key is due when the oldest event
 * expires.
 */
export class EventExpiry implements StoreController {
  readonly name = "event-expiry";
  readonly #context: RegistryContext;
  /** Time of the last change of each event, by event key. The oldest change comes first. */
  readonly #changes = new Map<string, number>();
  #ttlMs = defaultTtlMs;
  #add: AddKey | undefined;

  constructor(context: RegistryContext) {
    this.#context = context;
  }

  /** Sets the TTL of new and existing events. Default: three hours. */
  setTtl(ttlMs: number = defaultTtlMs): void {
    this.#ttlMs = ttlMs;
    if (this.#changes.size > 0) this.#add?.(bucket);
  }

  resume(add: AddKey): void {
    this.#add = add;
    const found = this.#context.store
      .range(bucket, "")
      .map((stored) => [stored.key, changedAt(stored)] as const);
    for (const [key, changed] of found.toSorted(([, a], [, b]) => a - b)) this.#changes.set(key, changed);
    if (found.length > 0) add(bucket);
  }

  observe({ bucket: changed, current, deleted }: StoreEvent, add: AddKey): void {
    if (changed !== bucket) return;
    const wasEmpty = this.#changes.size === 0;
    // Moves the changed event to the end of the map.
    this.#changes.delete(current.key);
    if (deleted) return;
    this.#changes.set(current.key, this.#context.clock.now().getTime());
    if (wasEmpty) add(bucket);
  }

  async reconcile(): Promise<Result | undefined> {
    const { clock, directory } = this.#context;
    for (const [key, changed] of this.#changes) {
      const wait = changed + this.#ttlMs - clock.now().getTime();
      if (wait > 0) return { requeueAfterMs: wait };
      // `observe` receives the deletion and removes the key from the map.
      await removeObject(this.#context, directory.get(events), key, {}).catch(ignoreGone);
    }
    return undefined;
  }
}

/** Returns the time of an event's last change, in milliseconds since 1970. */
function changedAt({ object }: StoredObject): number {
  const times = [
    scalarStringAt(object, "metadata", "creationTimestamp"),
    scalarStringAt(object, "lastTimestamp"),
    scalarStringAt(object, "series", "lastObservedTime"),
  ];
  return Math.max(0, ...times.map((time) => Date.parse(time)).filter((time) => !Number.isNaN(time)));
}
