import type { Clock } from "@keelson/base";
import { infraIdOf, type MachineEvent, type VirtualMachine } from "./virtual-machine.ts";

export interface ObservedMachine extends VirtualMachine {
  /** Since when it runs; its creation when it ran at first sight. Absent when it does not run. */
  readonly runningSince?: Date;
}

/** The machines of one cluster. */
export interface ClusterMachines {
  list(): readonly ObservedMachine[];
  find(name: string): ObservedMachine | undefined;
  /** Calls `listener` with every machine that appears, changes or goes away. Returns how to stop. */
  onChange(listener: (machine: VirtualMachine) => void): () => void;
}

/** Notified of every machine that appeared, changed or went away, and of the first complete view. */
export interface MachineListener {
  changed(machine: VirtualMachine): void;
  synced(): void;
}

/**
 * The present machines of the simulated Azure, from its event stream. A stream that starts again replaces the
 * view only when it is complete (SYNCED): until then machines that it has not yet named are taken to exist.
 */
export class MachineView {
  readonly #clock: Clock;
  readonly #listener: MachineListener;
  /** By resource ID, in groups by infrastructure ID: machines of no cluster are of no interest. */
  readonly #clusters = new Map<string, Map<string, ObservedMachine>>();
  /** Of each cluster. */
  readonly #listeners = new Map<string, Set<(machine: VirtualMachine) => void>>();
  #named = new Set<string>();
  #syncing = true;
  #complete = false;

  constructor(clock: Clock, listener: MachineListener) {
    this.#clock = clock;
    this.#listener = listener;
  }

  /** True once all machines are known, for good. */
  get complete(): boolean {
    return this.#complete;
  }

  /** The stream begins, for the first time or again. */
  restart(): void {
    this.#named = new Set();
    this.#syncing = true;
  }

  apply(event: MachineEvent): void {
    switch (event.type) {
      case "SYNCED":
        this.#sync();
        break;
      case "DELETED":
        this.#remove(event.vm);
        break;
      default:
        if (this.#syncing) this.#named.add(keyOf(event.vm));
        this.#put(event.vm);
    }
  }

  infraIds(): ReadonlySet<string> {
    return new Set(this.#clusters.keys());
  }

  ofCluster(infraId: string): ClusterMachines {
    const list = () => [...(this.#clusters.get(infraId)?.values() ?? [])];
    return {
      list,
      find: (name) => list().find((machine) => machine.name === name),
      onChange: (listener) => {
        const listeners = this.#listeners.get(infraId) ?? new Set();
        this.#listeners.set(infraId, listeners.add(listener));
        return () => {
          if (listeners.delete(listener) && listeners.size === 0) this.#listeners.delete(infraId);
        };
      },
    };
  }

  #put(machine: VirtualMachine): void {
    const infraId = infraIdOf(machine);
    if (infraId === undefined) return;
    const machines = this.#clusters.get(infraId) ?? new Map<string, ObservedMachine>();
    this.#clusters.set(infraId, machines);
    const before = machines.get(keyOf(machine));
    const running = machine.powerState === "running" && !inBetween.has(machine.provisioningState);
    const since = before ? (before.runningSince ?? this.#clock.now()) : new Date(machine.createdAt);
    machines.set(keyOf(machine), running ? { ...machine, runningSince: since } : machine);
    this.#changed(infraId, machine);
  }

  #remove(machine: VirtualMachine): void {
    const infraId = infraIdOf(machine);
    const machines = infraId === undefined ? undefined : this.#clusters.get(infraId);
    if (infraId === undefined || !machines?.delete(keyOf(machine))) return;
    if (machines.size === 0) this.#clusters.delete(infraId);
    this.#changed(infraId, machine);
  }

  #changed(infraId: string, machine: VirtualMachine): void {
    for (const listener of this.#listeners.get(infraId) ?? []) listener(machine);
    this.#listener.changed(machine);
  }

  #sync(): void {
    const known = [...this.#clusters.values()].flatMap((machines) => [...machines.values()]);
    for (const machine of known) if (!this.#named.has(keyOf(machine))) this.#remove(machine);
    this.#named = new Set();
    this.#syncing = false;
    const first = !this.#complete;
    this.#complete = true;
    if (first) this.#listener.synced();
  }
}

/** Not yet, or no more, a machine that anything runs on. */
const inBetween = new Set(["Creating", "Deleting"]);

/** ARM resource IDs compare without case. */
function keyOf({ id }: VirtualMachine): string {
  return id.toLowerCase();
}
