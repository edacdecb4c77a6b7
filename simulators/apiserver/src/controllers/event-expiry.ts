import { messageOf } from "@keelson/base";
import { textAt } from "../json/access.ts";
import type { RegistryContext } from "../registry/registry-context.ts";
import { removeObject } from "../registry/remove.ts";
import { ignoreGone } from "../status/status-error.ts";
import type { StoreEvent } from "../storage/revision-store.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { WorkQueueDeps } from "./work-queue.ts";

const bucket = "/events";
/** How long OpenShift's API server keeps an event after its last change (`event-ttl`). */
const ttlMs = 3 * 3_600_000;
const events = { group: "", version: "v1", resource: "events" };

/** Removes events that nobody has changed for three hours. While there are none, it waits for nothing. */
export class EventExpiry {
  readonly #context: RegistryContext;
  readonly #deps: WorkQueueDeps;
  /** When each event expires, by its key; the next one is first. */
  readonly #deadlines = new Map<string, number>();
  #running = false;

  constructor(context: RegistryContext, deps: WorkQueueDeps) {
    this.#context = context;
    this.#deps = deps;
  }

  /** Takes up the events that are there already. */
  resume(): void {
    const found = this.#context.store
      .range(bucket, "")
      .map((stored) => [stored.key, changedAt(stored)] as const);
    for (const [key, changed] of found.toSorted(([, a], [, b]) => a - b))
      this.#deadlines.set(key, changed + ttlMs);
    this.#begin();
  }

  observe({ bucket: changed, current, deleted }: StoreEvent): void {
    if (changed !== bucket) return;
    // Whoever changed last comes last again.
    this.#deadlines.delete(current.key);
    if (deleted) return;
    this.#deadlines.set(current.key, this.#deps.clock.now().getTime() + ttlMs);
    this.#begin();
  }

  #begin(): void {
    if (this.#running || this.#deadlines.size === 0 || this.#deps.signal.aborted) return;
    this.#running = true;
    this.#run().then(
      () => {
        this.#running = false;
      },
      (error: unknown) => {
        this.#running = false;
        if (this.#deps.signal.aborted) return;
        this.#deps.logger.error({ error: messageOf(error) }, "removing old events failed");
      },
    );
  }

  async #run(): Promise<void> {
    const { clock, signal } = this.#deps;
    for (const [key, deadline] of this.#deadlines) {
      const wait = deadline - clock.now().getTime();
      if (wait > 0) await clock.sleep(wait, signal);
      // It may have been changed in the meantime: then it comes again, at the end.
      if (this.#deadlines.get(key) !== deadline) continue;
      this.#deadlines.delete(key);
      const resource = this.#context.directory.get(events);
      await removeObject(this.#context, resource, key, {}).catch(ignoreGone);
    }
  }
}

/** The time of an event's last change, as well as the event itself tells. */
function changedAt({ object }: StoredObject): number {
  const times = [
    textAt(object, "metadata", "creationTimestamp"),
    textAt(object, "lastTimestamp"),
    textAt(object, "series", "lastObservedTime"),
  ];
  return Math.max(0, ...times.map((time) => Date.parse(time)).filter((time) => !Number.isNaN(time)));
}
