import type { Clock } from "@keelson/base";
import { RandomSet } from "./random-set.ts";

/** Limits of unauthenticated connections. Authenticated connections do not count. */
export interface PendingLimits {
  /** Number of connections per source below which no connection is dropped. */
  readonly start: number;
  /**
   * Maximum number of connections per source. At this number, each new connection causes the drop of one of the source's
   * connections.
   */
  readonly full: number;
  /** Maximum number of connections from all sources together. */
  readonly total: number;
  /** Number of connections, out of `total`, that are reserved for connections with an unknown source. Default: 0. */
  readonly reserved?: number;
  /** Time limit for authentication, in ms. */
  readonly authenticateMs: number;
}

/** Limit that a dropped connection exceeded. */
export type DropReason = "source" | "total" | "time";

export interface PendingConnectionsOptions extends PendingLimits {
  readonly clock: Clock;
  /** Called for each dropped connection. */
  readonly dropped?: (reason: DropReason) => void;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). */
  readonly random?: () => number;
}

/** Counted unauthenticated connection. */
export interface PendingConnection {
  /** Sets the source of the connection when it becomes known. */
  assign(source: string): void;
  /** Stops counting the connection, because it was authenticated or closed. */
  remove(): void;
}

interface Entry {
  source: string | undefined;
  readonly sinceTick: number;
  readonly end: (reason: DropReason) => void;
}

const firstDropProbability = 0.3;
const ticks = 20;

/**
 * Limits the number of unauthenticated connections of a listener, by source and in total, and the time until authentication.
 * Above `start`, each new connection may cause the drop of a random connection from its source. The probability rises to 1 at
 * `full`. OpenSSH uses the same random early drop for `MaxStartups`. A legitimate client with the same source address as an
 * attacker can therefore still connect.
 *
 * Time is measured in ticks of a timer. While the process is blocked, no ticks are counted, so a block does not cause connections
 * to exceed the time limit.
 */
export class PendingConnections {
  readonly #options: PendingConnectionsOptions;
  /** Connections in order of arrival. */
  readonly #all = new Set<Entry>();
  readonly #known = new RandomSet<Entry>();
  readonly #unknown = new RandomSet<Entry>();
  readonly #bySource = new Map<string, RandomSet<Entry>>();
  #ticking: AbortController | undefined;
  #tick = 0;

  constructor(options: PendingConnectionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#all.size;
  }

  /**
   * Counts a connection. When the connection exceeds a limit, `end` is called to close it. `end` may be called before this call
   * returns.
   */
  add(source: string | undefined, end: (reason: DropReason) => void): PendingConnection {
    const entry: Entry = { source: undefined, sinceTick: this.#tick, end };
    this.#all.add(entry);
    this.#unknown.add(entry);
    if (!this.#ticking) void this.#countTicks();
    if (source !== undefined) this.#assign(entry, source);
    if (this.#all.size > this.#options.total) this.#drop(this.#victim(), "total");
    return {
      assign: (known) => {
        this.#assign(entry, known);
      },
      remove: () => this.#remove(entry),
    };
  }

  #assign(entry: Entry, source: string): void {
    if (!this.#all.has(entry) || entry.source !== undefined) return;
    this.#unknown.delete(entry);
    entry.source = source;
    this.#known.add(entry);
    const { total, reserved = 0, random = Math.random } = this.#options;
    const ofSource = this.#bySource.get(source) ?? new RandomSet<Entry>();
    this.#bySource.set(source, ofSource);
    const probability = this.#dropProbability(ofSource.size);
    ofSource.add(entry);
    if (random() < probability) this.#drop(ofSource.pick(random()), "source");
    else if (this.#known.size > total - reserved) this.#drop(this.#known.pick(random()), "total");
  }

  #dropProbability(others: number): number {
    const { start, full } = this.#options;
    if (others < start) return 0;
    if (others >= full) return 1;
    return firstDropProbability + ((1 - firstDropProbability) * (others - start)) / (full - start);
  }

  #victim(): Entry | undefined {
    const { reserved = 0, random = Math.random } = this.#options;
    const others = this.#unknown.size <= reserved && this.#known.size > 0 ? this.#known : this.#unknown;
    return (others.size > 0 ? others : this.#known).pick(random());
  }

  #drop(entry: Entry | undefined, reason: DropReason): void {
    if (!entry) return;
    this.#remove(entry);
    this.#options.dropped?.(reason);
    entry.end(reason);
  }

  #remove(entry: Entry): void {
    if (!this.#all.delete(entry)) return;
    this.#unknown.delete(entry);
    this.#known.delete(entry);
    if (entry.source !== undefined) {
      const ofSource = this.#bySource.get(entry.source);
      ofSource?.delete(entry);
      if (ofSource?.size === 0) this.#bySource.delete(entry.source);
    }
    if (this.#all.size === 0) this.#ticking?.abort();
  }

  /** Counts ticks while there are connections, and drops the connections that exceed the time limit. */
  async #countTicks(): Promise<void> {
    const { clock, authenticateMs } = this.#options;
    const ticking = new AbortController();
    this.#ticking = ticking;
    while (!ticking.signal.aborted) {
      await clock.sleep(authenticateMs / ticks, ticking.signal).catch(() => undefined);
      this.#tick++;
      for (const entry of this.#all) {
        if (this.#tick - entry.sinceTick < ticks) break;
        this.#drop(entry, "time");
      }
    }
    this.#ticking = undefined;
    if (this.#all.size > 0) void this.#countTicks();
  }
}
