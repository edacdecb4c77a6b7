import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock, Logger } from "@keelson/base";
import type { BalancingRule, HealthProbe, HostedMachine, MachineHost } from "@keelson/sim-azure";
import { BalancedPort } from "./balanced-port.ts";
import { readMachineImage } from "./machine-image.ts";
import { freePortFlags } from "./machine-ports.ts";
import { MachineProbe } from "./machine-probe.ts";
import { ServiceMachine } from "./service-machine.ts";

export interface ProcessMachinesOptions {
  /** Parent directory of the machines' directories. */
  readonly directory: string;
  /** Returns the path of the `main.ts` that runs instead of an image. `tag` is the tag of the image. */
  readonly script: (tag: string) => string;
  readonly metadata: { readonly url: string; readonly caFile: string };
  /** Local ports for load balancing rules, by rule name. 0 chooses a free port. */
  readonly ports: Readonly<Record<string, number>>;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Running {
  readonly machine: ServiceMachine;
  readonly rules: readonly BalancingRule[];
  /** Probes of the machine, by `keyOf` of their request. */
  readonly probes: ReadonlyMap<string, MachineProbe>;
  readonly health?: HealthProbe;
  readonly stopping?: Promise<void>;
}

/**
 * Runs the machines of `keelson deploy` as local processes. Each systemd unit is a process, and each load balancing rule is a
 * local port. A machine without a unit of the service starts no processes and reports healthy.
 */
export class ProcessMachines implements MachineHost, AsyncDisposable {
  readonly #options: ProcessMachinesOptions;
  readonly #machines = new Map<string, Running>();
  readonly #ending = new Set<Promise<void>>();
  readonly #balanced = new AsyncDisposableStack();

  constructor(options: ProcessMachinesOptions) {
    this.#options = options;
  }

  /** Opens the load balancer ports. Deletes machine directories of an earlier process. */
  async start(): Promise<void> {
    const { directory, ports } = this.#options;
    await rm(directory, { recursive: true, force: true });
    for (const [rule, port] of Object.entries(ports))
      this.#balanced.use(await BalancedPort.open(port, () => this.#ready(rule)));
  }

  keep(hosted: HostedMachine): void {
    const { image: name = "" } = hosted.tags;
    const image = readMachineImage(hosted.customData, name);
    if (!image.units.some(({ args }) => freePortFlags(args))) return;
    const isToRun = hosted.isOn && hosted.stoppedUnits.length === 0;
    const running = this.#machines.get(hosted.id);
    if (running && !isToRun) this.#stop(hosted.id, running);
    if (!isToRun || (running && !running.stopping)) return;
    if (running) endProbes(running);
    const { directory, script, metadata, clock } = this.#options;
    const machine = new ServiceMachine({
      image,
      root: join(directory, hosted.name),
      script: script(name.split(":").at(-1) ?? ""),
      ...{ metadata, clock },
      logger: this.#options.logger.child({ machine: hosted.name }),
    });
    const { rules, health } = hosted;
    const asked = [...rules.map(({ probe }) => probe), ...(health ? [health] : [])];
    const probes = new Map(
      asked.map((probe) => [
        keyOf(probe),
        new MachineProbe({ probe, clock, port: () => machine.hostPort(probe.port) }),
      ]),
    );
    this.#machines.set(hosted.id, { machine, rules, probes, ...(health ? { health } : {}) });
    this.#later((running?.stopping ?? Promise.resolve()).then(() => machine.start()));
    for (const probe of probes.values()) this.#later(probe.run());
  }

  remove(id: string): void {
    const running = this.#machines.get(id);
    if (!running) return;
    this.#machines.delete(id);
    endProbes(running);
    this.#later(running.machine.kill());
  }

  isHealthy(id: string): boolean {
    const running = this.#machines.get(id);
    return running?.health === undefined || isReady(running, running.health);
  }

  isReady(id: string, rule: string): boolean {
    const running = this.#machines.get(id);
    if (!running) return true;
    return running.rules.some((each) => each.name === rule && isReady(running, each.probe));
  }

  readLog(id: string): string {
    return this.#machines.get(id)?.machine.readLog() ?? "";
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

  /** Returns the local ports of machines that are ready for a rule. */
  #ready(rule: string): readonly number[] {
    return [...this.#machines.values()].flatMap((running) => {
      const found = running.rules.find((each) => each.name === rule);
      if (!found || !isReady(running, found.probe)) return [];
      return running.machine.hostPort(found.backendPort) ?? [];
    });
  }

  #later(work: Promise<void>): void {
    const ended = work.catch(() => undefined).finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#balanced.disposeAsync();
    // Removes the machines from this process. The state of the simulated Azure still contains them, so the next process runs them
    // again.
    for (const id of [...this.#machines.keys()]) this.remove(id);
    await Promise.all(this.#ending);
  }
}

function keyOf(probe: HealthProbe): string {
  return JSON.stringify(probe);
}

function isReady({ probes }: Running, probe: HealthProbe): boolean {
  return probes.get(keyOf(probe))?.isReady === true;
}

function endProbes({ probes }: Running): void {
  for (const probe of probes.values()) probe[Symbol.dispose]();
}
