import { randomUUID } from "node:crypto";
import type { QueueLength } from "../documents/lease.ts";
import { isBegun, pickInTurn, type QueueEntry } from "../documents/queue-turns.ts";

interface ModelEntry extends QueueEntry {
  readonly id: string;
  readonly attempts: number;
}

export interface Acquired {
  readonly id: string;
  readonly partitionKey: string;
  readonly wasBegun: boolean;
}

/** Model of a fair queue in memory. Tests compare the stores with this model. */
export class FairQueueModel {
  readonly #entries = new Map<string, ModelEntry>();
  readonly #maxRunning: number;
  #now = 0;

  constructor(maxRunning: number) {
    this.#maxRunning = maxRunning;
  }

  enter(partitionKey: string): string {
    const id = randomUUID();
    const position = ++this.#now;
    this.#entries.set(id, { id, partitionKey, position, lease: "none", isReady: true, attempts: 0 });
    return id;
  }

  acquire(limit: number): readonly Acquired[] {
    const { begun, served } = pickInTurn([...this.#entries.values()], limit, this.#maxRunning);
    const picked = [...begun, ...served.flatMap(({ entries }) => entries)];
    for (const { id, attempts } of picked)
      this.#change(id, { lease: "held", turn: undefined, attempts: attempts + 1 });
    for (const { next } of served) if (next) this.#change(next.id, { turn: ++this.#now });
    return picked.map((entry) => ({ ...entry, wasBegun: isBegun(entry) }));
  }

  /** Returns the ID of one of the documents with a valid lease. `which` selects the document. */
  held(which: number): string | undefined {
    const held = [...this.#entries.values()].filter(({ lease }) => lease === "held");
    return held[which % Math.max(1, held.length)]?.id;
  }

  finish(id: string): void {
    this.#entries.delete(id);
  }

  fail(id: string): void {
    this.#change(id, { lease: "none", isReady: false, turn: ++this.#now });
  }

  stop(id: string): void {
    this.#change(id, { lease: "none", isReady: true, turn: 0 });
  }

  /** Expires all leases. */
  crash(): void {
    for (const { id, lease } of this.#entries.values())
      if (lease === "held") this.#change(id, { lease: "lapsed" });
  }

  endBackoff(): void {
    for (const { id } of this.#entries.values()) this.#change(id, { isReady: true });
  }

  length(): QueueLength {
    const waiting = [...this.#entries.values()].filter(({ lease }) => lease !== "held");
    const begun = waiting.filter(isBegun).length;
    return { begun, fresh: waiting.length - begun };
  }

  #change(id: string, change: Partial<ModelEntry>): void {
    const entry = this.#entries.get(id);
    if (entry) this.#entries.set(id, { ...entry, ...change });
  }
}
