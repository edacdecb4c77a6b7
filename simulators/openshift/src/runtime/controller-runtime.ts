import type { KubeObject, ResourceRef } from "@keelson/apiserver";
import { messageOf } from "@keelson/base";
import type { Fault } from "../faults/fault.ts";
import type { VirtualMachine } from "../hypervisor/virtual-machine.ts";
import type { Cluster } from "./cluster.ts";
import type { Controller } from "./controller.ts";
import { WorkQueue } from "./work-queue.ts";

interface Running {
  readonly controller: Controller;
  readonly queue: WorkQueue;
}

/** A conflict goes away with the next attempt; what fails this often in a row does not pass by itself. */
const lastingAttempts = 5;

/**
 * Runs the controllers of one cluster: one watch per resource, shared by all that need it, and no caches, so
 * that reads are never stale and an idle cluster holds nothing but its watches.
 */
export class ControllerRuntime implements AsyncDisposable {
  readonly #cluster: Cluster;
  readonly #stop = new AbortController();
  readonly #running: readonly Running[];
  #watches: readonly Promise<void>[] = [];

  constructor(cluster: Cluster, controllers: readonly Controller[]) {
    this.#cluster = cluster;
    this.#running = controllers.map((controller) => ({ controller, queue: this.#queueOf(controller) }));
  }

  start(): void {
    const resources = new Map<string, ResourceRef>();
    for (const { controller } of this.#running)
      for (const watch of controller.watches)
        if (watch.on === "objects") resources.set(JSON.stringify(watch.resource), watch.resource);
    this.#watches = [...resources.values()].map((resource) => this.#watch(resource));
    for (const { controller, queue } of this.#running)
      for (const key of controller.initialKeys ?? []) queue.add(key);
    for (const machine of this.#cluster.machines.list()) this.machineChanged(machine);
  }

  /** Tells the controllers that a virtual machine of this cluster appeared, changed or went away. */
  machineChanged(machine: VirtualMachine): void {
    for (const { controller, queue } of this.#running)
      for (const watch of controller.watches)
        if (watch.on === "virtualMachines") for (const key of watch.keys(machine)) queue.add(key);
  }

  /** Tells the controllers of a fault of this cluster that began or ended; of other circumstances without one. */
  async faultsOrUpdatesChanged(fault?: Fault): Promise<void> {
    for (const { controller, queue } of this.#running)
      for (const watch of controller.watches)
        if (watch.on === "faults") for (const key of await watch.keys(fault, this.#cluster)) queue.add(key);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#watches);
    await Promise.all(this.#running.map(({ queue }) => queue.drained()));
  }

  #queueOf(controller: Controller): WorkQueue {
    const { clock, logger } = this.#cluster;
    return new WorkQueue({
      process: (key, signal) => controller.reconcile(key, this.#cluster, signal),
      onFailure: (key, error, attempt) => {
        const level = attempt < lastingAttempts ? "debug" : "warn";
        logger[level](
          { controller: controller.name, key, attempt, error: messageOf(error) },
          "reconcile failed",
        );
      },
      clock,
      signal: this.#stop.signal,
    });
  }

  /**
   * Watches until stopped. It starts again from the current state when the watch breaks: every object is then
   * reported again, and what was deleted meanwhile is noticed by the controllers of what it belonged to.
   */
  async #watch(resource: ResourceRef): Promise<void> {
    const { client, clock, logger } = this.#cluster;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        for await (const event of client.watch(resource, {}, signal))
          if (event.type !== "BOOKMARK") await this.#dispatch(resource, event.object);
      } catch (error) {
        if (!signal.aborted) logger.warn({ resource, error: messageOf(error) }, "watch broke");
      }
      await clock.sleep(100, signal).catch(() => undefined);
    }
  }

  async #dispatch(resource: ResourceRef, object: KubeObject): Promise<void> {
    for (const { controller, queue } of this.#running)
      for (const watch of controller.watches)
        if (watch.on === "objects" && sameResource(watch.resource, resource))
          for (const key of await watch.keys(object, this.#cluster)) queue.add(key);
  }
}

function sameResource(a: ResourceRef, b: ResourceRef): boolean {
  return a.group === b.group && a.version === b.version && a.resource === b.resource;
}
