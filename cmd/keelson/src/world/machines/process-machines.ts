import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock, Logger } from "@keelson/base";
import type { HostedMachine, MachineHost } from "@keelson/sim-azure";
import { BalancedPort } from "./balanced-port.ts";
import { readMachineImage } from "./machine-image.ts";
import { MachineProbe } from "./machine-probe.ts";
import { ServiceMachine } from "./service-machine.ts";

export interface ProcessMachinesOptions {
  /** A folder for each machine goes there. */
  readonly directory: string;
  /** The `main.ts` that stands for the tag of an image. */
  readonly script: (tag: string) => string;
  readonly metadata: { readonly url: string; readonly caFile: string };
  /** Stands for port 443 of the frontend `rp-frontend`. */
  readonly port: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Running {
  readonly machine: ServiceMachine;
  readonly probe: MachineProbe;
  readonly stopping?: Promise<void>;
}

/**
 * Runs the machines of the resource provider that `keelson deploy` makes: their units are processes of this host, their load
 * balancer is a port of it. Machines of other services run nothing, and are healthy.
 */
export class ProcessMachines implements MachineHost, AsyncDisposable {
  readonly #options: ProcessMachinesOptions;
  readonly #machines = new Map<string, Running>();
  readonly #ending = new Set<Promise<void>>();
  #port: BalancedPort | undefined;

  constructor(options: ProcessMachinesOptions) {
    this.#options = options;
  }

  /** Opens the load balancer's port. Folders of machines that an earlier life of the process left behind go. */
  async start(): Promise<void> {
    const { directory, port } = this.#options;
    await rm(directory, { recursive: true, force: true });
    this.#port = await BalancedPort.open(port, () => this.#ready());
  }

  keep(hosted: HostedMachine): void {
    const rule = hosted.rules.find(({ frontend }) => frontend === "rp-frontend");
    const { image = "" } = hosted.tags;
    if (!rule) return;
    const isToRun = hosted.isOn && hosted.stoppedUnits.length === 0;
    const running = this.#machines.get(hosted.id);
    if (running && !isToRun) this.#stop(hosted.id, running);
    if (!isToRun || (running && !running.stopping)) return;
    running?.probe[Symbol.dispose]();
    const { directory, script, metadata, clock } = this.#options;
    const logger = this.#options.logger.child({ machine: hosted.name });
    const machine = new ServiceMachine({
      image: readMachineImage(hosted.customData, image),
      root: join(directory, hosted.name),
      script: script(image.split(":").at(-1) ?? ""),
      ...{ metadata, clock, logger },
    });
    const { path, intervalSeconds, failures } = rule.probe;
    const intervalMs = intervalSeconds * 1_000;
    const probe = new MachineProbe({ path, intervalMs, failures, clock, url: () => machine.url });
    this.#machines.set(hosted.id, { machine, probe });
    this.#later((running?.stopping ?? Promise.resolve()).then(() => machine.start()));
    this.#later(probe.run());
  }

  remove(id: string): void {
    const running = this.#machines.get(id);
    if (!running) return;
    this.#machines.delete(id);
    running.probe[Symbol.dispose]();
    this.#later(running.machine.kill());
  }

  isHealthy(id: string): boolean {
    return this.#machines.get(id)?.probe.isReady ?? true;
  }

  async unitsStopped(id: string, _signal: AbortSignal): Promise<void> {
    await this.#machines.get(id)?.stopping;
  }

  #stop(id: string, running: Running): void {
    if (running.stopping) return;
    const stopping = running.machine.stop();
    this.#machines.set(id, { ...running, stopping });
    this.#later(stopping);
  }

  #ready(): readonly string[] {
    return [...this.#machines.values()].flatMap(({ machine, probe }) =>
      probe.isReady && machine.url !== undefined ? [machine.url] : [],
    );
  }

  #later(work: Promise<void>): void {
    const ended = work.catch(() => undefined).finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#port?.[Symbol.asyncDispose]();
    // What they do is gone on with by those that the next life of the process starts.
    for (const id of [...this.#machines.keys()]) this.remove(id);
    await Promise.all(this.#ending);
  }
}
