import type { Clock } from "@keelson/base";
import { type ClusterPlace, groupOf, MachineOwners } from "./machine-owners.ts";
import type { MachineEvent, VirtualMachine } from "./virtual-machine.ts";

export interface ObservedMachine extends VirtualMachine {
  /**
   * Time of the last start. If the machine was already running when it was first observed, this is the machine's creation time.
   * Unset while the machine is stopped.
   */
  readonly runningSince?: Date;
}

/** Machines of one cluster. */
export interface ClusterMachines {
  list(): readonly ObservedMachine[];
  find(name: string): ObservedMachine | undefined;
  /** Calls `listener` when a machine is added, changed or deleted. Returns a function that unsubscribes. */
  onChange(listener: (machine: VirtualMachine) => void): () => void;
}

/** Receives added, changed and deleted machines and the first complete list. */
export interface MachineListener {
  changed(infraId: string, machine: VirtualMachine): void;
  synced(): void;
}

/**
 * Current machines of the simulated Azure, built from its event stream. After a reconnect, known machines remain until the stream
 * sends SYNCED. Machines that the new stream has not reported by then are removed.
 */
export class MachineView {
  readonly #clock: Clock;
  readonly #listener: MachineListener;
  readonly #owners = new MachineOwners();
  /** Machines without a known cluster, by resource ID. They remain here because their cluster may become known later. */
  readonly #strangers = new Map<string, VirtualMachine>();
  /** Infrastructure IDs by machine resource ID. A machine never changes its cluster. */
  readonly #infraIds = new Map<string, string>();
  /** Machines by infrastructure ID and resource ID. */
  readonly #clusters = new Map<string, Map<string, ObservedMachine>>();
  /** Machines by infrastructure ID and name. */
  readonly #names = new Map<string, Map<string, ObservedMachine>>();
  /** Listeners by infrastructure ID. */
  readonly #listeners = new Map<string, Set<(machine: VirtualMachine) => void>>();
  readonly #owns: (infraId: string) => boolean;
  /** Resource IDs of machines of clusters that other processes run, by infrastructure ID. */
  readonly #foreign = new Map<string, Set<string>>();
  #named = new Set<string>();
  #syncing = true;
  #complete = false;

  /** `owns` selects the clusters of this process. Machines of other clusters are ignored. Default: all clusters. */
  constructor(clock: Clock, listener: MachineListener, owns: (infraId: string) => boolean = () => true) {
    this.#clock = clock;
    this.#listener = listener;
    this.#owns = owns;
  }

  /** True after the first complete machine list. Never becomes false again. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Handles a new connection to the event stream. */
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

  /** Returns the infrastructure ID of a machine's cluster. `undefined` if the machine is not in a cluster. */
  infraIdOf(machineId: string): string | undefined {
    return this.#infraIds.get(machineId.toLowerCase());
  }

  /** Adds a stored cluster. The view then assigns workers to the cluster even if the cluster has no control plane machines. */
  addCluster(infraId: string, place: ClusterPlace): void {
    this.#owners.add(infraId, place);
    this.#adopt([...this.#strangers.values()]);
  }

  /** Removes a cluster that has no machines. */
  removeCluster(infraId: string): void {
    if (!this.#clusters.has(infraId)) this.#owners.forget(infraId);
  }

  ofCluster(infraId: string): ClusterMachines {
    return {
      list: () => [...(this.#clusters.get(infraId)?.values() ?? [])],
      find: (name) => this.#names.get(infraId)?.get(name),
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
    const isNew = !this.#infraIds.has(key) && !this.#foreign.get(infraId)?.has(key);
    if (this.#owns(infraId)) {
      this.#infraIds.set(key, infraId);
      this.#putInCluster(infraId, machine);
    } else this.#foreign.set(infraId, (this.#foreign.get(infraId) ?? new Set()).add(key));
    if (isNew) this.#adopt([...this.#strangers.values()].filter(({ id }) => groupOf(id) === groupOf(key)));
  }

  /** Adds waiting machines to clusters that are now known. */
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
    const observed = running ? { ...machine, runningSince: since } : machine;
    machines.set(keyOf(machine), observed);
    const names = this.#names.get(infraId) ?? new Map<string, ObservedMachine>();
    this.#names.set(infraId, names.set(machine.name, observed));
    this.#changed(infraId, machine);
  }

  #remove(machine: VirtualMachine): void {
    const key = keyOf(machine);
    this.#strangers.delete(key);
    if (this.#foreign.size > 0) this.#forgetForeign(this.#owners.find(machine) ?? "", key);
    const infraId = this.#infraIds.get(key);
    this.#infraIds.delete(key);
    const machines = infraId === undefined ? undefined : this.#clusters.get(infraId);
    if (infraId === undefined || !machines?.delete(key)) return;
    const names = this.#names.get(infraId);
    // A new machine in a different resource group may already have this name. Its entry must remain.
    if (names && keyOf(names.get(machine.name) ?? machine) === key) names.delete(machine.name);
    if (machines.size === 0) {
      this.#clusters.delete(infraId);
      this.#names.delete(infraId);
    }
    this.#changed(infraId, machine);
  }

  /** Forgets a machine of a cluster that a different process runs, and the cluster if it has no machines left. */
  #forgetForeign(infraId: string, key: string): void {
    const keys = this.#foreign.get(infraId);
    if (!keys?.delete(key) || keys.size > 0) return;
    this.#foreign.delete(infraId);
    this.#owners.forget(infraId);
  }

  #changed(infraId: string, machine: VirtualMachine): void {
    for (const listener of this.#listeners.get(infraId) ?? []) listener(machine);
    this.#listener.changed(infraId, machine);
  }

  #sync(): void {
    const known = [...this.#clusters.values()].flatMap((machines) => [...machines.values()]);
    for (const machine of this.#strangers.values()) known.push(machine);
    for (const machine of known) if (!this.#named.has(keyOf(machine))) this.#remove(machine);
    for (const [infraId, keys] of this.#foreign)
      for (const key of keys) if (!this.#named.has(key)) this.#forgetForeign(infraId, key);
    this.#named = new Set();
    this.#syncing = false;
    const first = !this.#complete;
    this.#complete = true;
    if (first) this.#listener.synced();
  }
}

/** Provisioning states in which a machine does not run. */
const inBetween = new Set(["Creating", "Deleting"]);

/** ARM compares resource IDs case-insensitively. */
function keyOf({ id }: VirtualMachine): string {
  return id.toLowerCase();
}
