import { randomUUID } from "node:crypto";
import type { Clock } from "@keelson/base";
import { concernsCluster, type Fault, type FaultRequest } from "./fault.ts";
import type { FaultKind } from "./fault-kinds.ts";

/** Fault and the period in which it was active. */
export interface FaultInterval {
  readonly fault: Fault;
  readonly fromMs: number;
  /** End of the period in milliseconds. Unset while the fault is active. */
  readonly toMs?: number;
}

/** Faults of one cluster. */
export interface ClusterFaults {
  /** Returns the active faults of a kind in creation order. */
  of(kind: FaultKind): readonly Fault[];
  /** Returns the active and the recently ended faults. */
  history(): readonly FaultInterval[];
  /** Calls `listener` when a fault starts or ends. Returns a function that unsubscribes. */
  onChange(listener: (fault: Fault) => void): () => void;
}

const longestHistory = 500;

/** Active faults. A fault lasts until it is cleared or the process exits. */
export class FaultRegistry {
  readonly #clock: Clock;
  readonly #beginnings = new Map<string, number>();
  #ended: readonly FaultInterval[] = [];
  readonly #faults = new Map<string, Fault>();
  readonly #listeners = new Set<(fault: Fault) => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  list(): readonly Fault[] {
    return [...this.#faults.values()];
  }

  set(request: FaultRequest): Fault {
    const fault: Fault = { id: randomUUID().slice(0, 8), ...request };
    this.#begin(fault);
    return fault;
  }

  /** Replaces the active faults. Faults with an unchanged ID continue. */
  replace(faults: readonly Fault[]): void {
    const ids = new Set(faults.map(({ id }) => id));
    for (const { id } of this.list()) if (!ids.has(id)) this.clear(id);
    for (const fault of faults) if (!this.#faults.has(fault.id)) this.#begin(fault);
  }

  /** Ends one fault or all faults. Returns the ended faults. */
  clear(id?: string): readonly Fault[] {
    const ended = this.list().filter((fault) => id === undefined || fault.id === id);
    const toMs = this.#clock.now().getTime();
    const intervals = ended.map((fault) => ({ fault, fromMs: this.#beginnings.get(fault.id) ?? toMs, toMs }));
    this.#ended = [...this.#ended, ...intervals].slice(-longestHistory);
    for (const fault of ended) {
      this.#faults.delete(fault.id);
      this.#beginnings.delete(fault.id);
    }
    for (const fault of ended) this.#notify(fault);
    return ended;
  }

  ofCluster(infraId: string): ClusterFaults {
    return {
      of: (kind) =>
        this.#faults.size === 0
          ? []
          : this.list().filter((fault) => fault.kind === kind && concernsCluster(fault, infraId)),
      history: () =>
        [
          ...this.#ended,
          ...this.list().map((fault) => ({ fault, fromMs: this.#beginnings.get(fault.id) ?? 0 })),
        ].filter(({ fault }) => concernsCluster(fault, infraId)),
      onChange: (listener) =>
        this.onChange((fault) => {
          if (concernsCluster(fault, infraId)) listener(fault);
        }),
    };
  }

  /** Calls `listener` when a fault starts or ends. Returns a function that unsubscribes. */
  onChange(listener: (fault: Fault) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #begin(fault: Fault): void {
    this.#faults.set(fault.id, fault);
    this.#beginnings.set(fault.id, this.#clock.now().getTime());
    this.#notify(fault);
  }

  #notify(fault: Fault): void {
    for (const listener of this.#listeners) listener(fault);
  }
}
