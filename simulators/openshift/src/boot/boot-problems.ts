import { isCoded, type Logger, messageOf } from "@keelson/base";
import type { VirtualMachine } from "../hypervisor/virtual-machine.ts";

/** A machine that cannot boot, in the list of faults. */
export interface BootProblem {
  readonly id: string;
  readonly kind: "machine-boot";
  /** Infrastructure ID. */
  readonly cluster: string;
  readonly parameters: { readonly machine: string; readonly reason: string };
}

/** True for boot errors of the machine itself. */
export function isBootError(error: unknown): error is Error {
  return bootErrors.some((code) => isCoded(error, code));
}

const bootErrors = ["InvalidIgnition", "IgnitionUnavailable", "InvalidBootConfiguration"];

type BootingMachine = Pick<VirtualMachine, "id" | "name">;

/** Sends the reason why a machine cannot boot to the simulated Azure. `undefined` after it booted. */
export type ReportBoot = (machineId: string, problem: string | undefined) => Promise<void>;

/** Machines that cannot boot: each new reason is logged, and shown by the machine's console and instance view. */
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

  /** The machine has booted. */
  async resolve(machine: BootingMachine): Promise<void> {
    if (this.#problems.delete(machine.id.toLowerCase())) await this.#send(machine, undefined);
  }

  /** The machine no longer exists. */
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
