import { isCoded, type Logger, messageOf } from "@keelson/base";
import type { VirtualMachine } from "../hypervisor/virtual-machine.ts";

/** Boot problem of a machine. It appears in the list of faults. */
export interface BootProblem {
  readonly id: string;
  readonly kind: "machine-boot";
  /** Infrastructure ID of the cluster. */
  readonly cluster: string;
  readonly parameters: { readonly machine: string; readonly reason: string };
}

/**
 * True if the error results from the machine's boot data: an invalid or unavailable Ignition configuration, or invalid boot
 * files.
 */
export function isBootError(error: unknown): error is Error {
  return bootErrors.some((code) => isCoded(error, code));
}

const bootErrors = ["InvalidIgnition", "IgnitionUnavailable", "InvalidBootConfiguration"];

type BootingMachine = Pick<VirtualMachine, "id" | "name">;

/** Reports the boot problem of a machine to the simulated Azure. `problem` is `undefined` after a successful boot. */
export type ReportBoot = (machineId: string, problem: string | undefined) => Promise<void>;

/** Tracks machines that cannot boot. Each new problem is logged and appears in the machine's serial console and instance view. */
export class BootProblems {
  readonly #problems = new Map<string, BootProblem>();
  readonly #report: ReportBoot;
  readonly #logger: Logger;

  constructor(report: ReportBoot, logger: Logger) {
    this.#report = report;
    this.#logger = logger;
  }

  list(): readonly BootProblem[] {
    return [...this.#problems.values()];
  }

  async add(cluster: string, machine: BootingMachine, reason: string): Promise<void> {
    const key = machine.id.toLowerCase();
    if (this.#problems.get(key)?.parameters.reason === reason) return;
    const parameters = { machine: machine.name, reason };
    this.#problems.set(key, { id: `boot-${machine.name}`, kind: "machine-boot", cluster, parameters });
    this.#logger.error({ cluster, machine: machine.name, error: reason }, "machine cannot boot");
    await this.#send(machine, reason);
  }

  /** Removes the problem of a machine that has booted. */
  async resolve(machine: BootingMachine): Promise<void> {
    if (this.#problems.delete(machine.id.toLowerCase())) await this.#send(machine, undefined);
  }

  /** Removes the problem of a deleted machine. */
  forget(machine: BootingMachine): void {
    this.#problems.delete(machine.id.toLowerCase());
  }

  async #send(machine: BootingMachine, problem: string | undefined): Promise<void> {
    try {
      await this.#report(machine.id, problem);
    } catch (error) {
      this.#logger.warn(
        { machine: machine.name, error: messageOf(error) },
        "boot was not reported to the simulated Azure",
      );
    }
  }
}
