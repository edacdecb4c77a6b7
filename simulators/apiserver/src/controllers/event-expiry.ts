import { ignoreGone, textAt } from "@keelson/apimachinery";
import type { Result } from "@keelson/controller";
import { removeObject } from "../registry/remove.ts";
import type { RegistryContext } from "../resources/registry-context.ts";
import type { StoreEvent } from "../storage/revision-store.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { AddKey, StoreController } from "./store-controller.ts";

const bucket = "/events";
/** How long OpenShift's API server keeps an event after its last change (`event-ttl`). */
const ttlMs = 3 * 3_600_000;
const events = { group: "", version: "v1", resource: "events" };

/** Removes events that were last changed three hours ago. All of them are one key, due when the oldest is. */
export class EventExpiry implements StoreController {
  readonly name = "event-expiry";
  readonly #context: RegistryContext;
  /** When each event expires, by its key, the next one first. */
  readonly #deadlines = new Map<string, number>();

  constructor(context: RegistryContext) {
    this.#context = context;
  }

  resume(add: AddKey): void {
    const found = this.#context.store
      .range(bucket, "")
      .map((stored) => [stored.key, changedAt(stored)] as const);
    for (const [key, changed] of found.toSorted(([, a], [, b]) => a - b))
      this.#deadlines.set(key, changed + ttlMs);
    if (found.length > 0) add(bucket);
  }

  observe({ bucket: changed, current, deleted }: StoreEvent, add: AddKey): void {
    if (changed !== bucket) return;
    const wasEmpty = this.#deadlines.size === 0;
    // What changed last moves to the end.
    this.#deadlines.delete(current.key);
    if (deleted) return;
    this.#deadlines.set(current.key, this.#context.clock.now().getTime() + ttlMs);
    if (wasEmpty) add(bucket);
  }

  async reconcile(): Promise<Result | undefined> {
    const { clock, directory } = this.#context;
    for (const [key, deadline] of this.#deadlines) {
      const wait = deadline - clock.now().getTime();
      if (wait > 0) return { requeueAfterMs: wait };
      // `observe` takes it off the list.
      await removeObject(this.#context, directory.get(events), key, {}).catch(ignoreGone);
    }
    return undefined;
  }
}

/** The latest time that an event gives for its last change, in milliseconds. */
function changedAt({ object }: StoredObject): number {
  const times = [
    textAt(object, "metadata", "creationTimestamp"),
    textAt(object, "lastTimestamp"),
    textAt(object, "series", "lastObservedTime"),
  ];
  return Math.max(0, ...times.map((time) => Date.parse(time)).filter((time) => !Number.isNaN(time)));
}
