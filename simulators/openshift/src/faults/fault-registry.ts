import { randomUUID } from "node:crypto";
import { concernsCluster, type Fault, type FaultRequest } from "./fault.ts";
import type { FaultKind } from "./fault-kinds.ts";

/** The faults of one cluster. */
export interface ClusterFaults {
  /** Those of a kind, in the order in which they were asked for. */
  of(kind: FaultKind): readonly Fault[];
  /** Calls `listener` with every one that begins or ends. Returns how to stop. */
  onChange(listener: (fault: Fault) => void): () => void;
}

/** The faults that are in force, until they are cleared or the process ends. */
export class FaultRegistry {
  readonly #faults = new Map<string, Fault>();
  readonly #listeners = new Set<(fault: Fault) => void>();

  list(): readonly Fault[] {
    return [...this.#faults.values()];
  }

  set(request: FaultRequest): Fault {
    const fault: Fault = { id: randomUUID().slice(0, 8), ...request };
    this.#faults.set(fault.id, fault);
    this.#notify(fault);
    return fault;
  }

  /** Ends one fault, or all of them, and gives those it ended. */
  clear(id?: string): readonly Fault[] {
    const ended = this.list().filter((fault) => id === undefined || fault.id === id);
    for (const fault of ended) this.#faults.delete(fault.id);
    for (const fault of ended) this.#notify(fault);
    return ended;
  }

  ofCluster(infraId: string): ClusterFaults {
    return {
      of: (kind) =>
        this.#faults.size === 0
          ? []
          : this.list().filter((fault) => fault.kind === kind && concernsCluster(fault, infraId)),
      onChange: (listener) =>
        this.onChange((fault) => {
          if (concernsCluster(fault, infraId)) listener(fault);
        }),
    };
  }

  /** Calls `listener` with every fault that begins or ends. Returns how to stop. */
  onChange(listener: (fault: Fault) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notify(fault: Fault): void {
    for (const listener of this.#listeners) listener(fault);
  }
}
