import type { Clock } from "@keelson/base";
import { type ClusterPlace, groupOf, MachineOwners } from "./machine-owners.ts";
import type { MachineEvent, VirtualMachine } from "./virtual-machine.ts";

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
  changed(infraId: string, machine: VirtualMachine): void;
  synced(): void;
}

/**
 * The present machines of the simulated Azure, from its event stream. A stream that starts again replaces the
 * view only when it is complete (SYNCED): until then machines that it has not yet named are taken to exist.
 */
export class MachineView {
  readonly #clock: Clock;
  readonly #listener: MachineListener;
  readonly #owners = new MachineOwners();
  /** Machines whose cluster is unknown, by resource ID. It may be reported after them. */
  readonly #strangers = new Map<string, VirtualMachine>();
  /** Infrastructure IDs by resource ID. A machine stays in its cluster. */
  readonly #infraIds = new Map<string, string>();
  /** Machines by resource ID, in groups by infrastructure ID. */
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

  /** Infrastructure ID of the machine with this resource ID. Undefined if the machine belongs to none. */
  infraIdOf(machineId: string): string | undefined {
    return this.#infraIds.get(machineId.toLowerCase());
  }

  /** Adds a stored cluster. Its machines are recognized although none of the control plane may exist. */
  addCluster(infraId: string, place: ClusterPlace): void {
    this.#owners.add(infraId, place);
    this.#adopt([...this.#strangers.values()]);
  }

  /** Forgets a cluster without machines. */
  removeCluster(infraId: string): void {
    if (!this.#clusters.has(infraId)) this.#owners.forget(infraId);
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
    const key = keyOf(machine);
    const infraId = this.#infraIds.get(key) ?? this.#owners.find(machine);
    if (infraId === undefined) {
      this.#strangers.set(key, machine);
      return;
    }
    this.#strangers.delete(key);
    const isNew = !this.#infraIds.has(key);
    this.#infraIds.set(key, infraId);
    this.#putInCluster(infraId, machine);
    if (isNew) this.#adopt([...this.#strangers.values()].filter(({ id }) => groupOf(id) === groupOf(key)));
  }

  /** Adds those machines whose cluster has become known. */
  #adopt(strangers: readonly VirtualMachine[]): void {
    for (const machine of strangers)
      if (this.#strangers.has(keyOf(machine)) && this.#owners.find(machine) !== undefined) this.#put(machine);
  }

  #putInCluster(infraId: string, machine: VirtualMachine): void {
    const machines = this.#clusters.get(infraId) ?? new Map<string, ObservedMachine>();
    this.#clusters.set(infraId, machines);
    const before = machines.get(keyOf(machine));
    const running = machine.powerState === "running" && !inBetween.has(machine.provisioningState);
    const since = before ? (before.runningSince ?? this.#clock.now()) : new Date(machine.createdAt);
    machines.set(keyOf(machine), running ? { ...machine, runningSince: since } : machine);
    this.#changed(infraId, machine);
  }

  #remove(machine: VirtualMachine): void {
    const key = keyOf(machine);
    this.#strangers.delete(key);
    const infraId = this.#infraIds.get(key);
    this.#infraIds.delete(key);
    const machines = infraId === undefined ? undefined : this.#clusters.get(infraId);
    if (infraId === undefined || !machines?.delete(key)) return;
    if (machines.size === 0) this.#clusters.delete(infraId);
    this.#changed(infraId, machine);
  }

  #changed(infraId: string, machine: VirtualMachine): void {
    for (const listener of this.#listeners.get(infraId) ?? []) listener(machine);
    this.#listener.changed(infraId, machine);
  }

  #sync(): void {
    const known = [...this.#clusters.values()].flatMap((machines) => [...machines.values()]);
    for (const machine of this.#strangers.values()) known.push(machine);
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
