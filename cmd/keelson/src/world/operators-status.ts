import type { Clock } from "@keelson/base";
import type { SharedProcessState } from "@keelson/sim-openshift";
import type { OperatorsProcess } from "../supervisor/component.ts";

/** Tracks the status of the process that runs all operators. */
export class OperatorsStatus {
  readonly #clock: Clock;
  #pid: number | undefined;
  #since: Date;
  #starts = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.now();
  }

  /** Returns the status after a state change. */
  after({ pid, notRespondingSince }: SharedProcessState): OperatorsProcess {
    if (pid !== this.#pid) {
      this.#since = this.#clock.now();
      if (pid !== undefined) this.#starts += 1;
    }
    this.#pid = pid;
    return {
      ...(pid === undefined ? {} : { process: pid }),
      since: this.#since.toISOString(),
      restarts: Math.max(0, this.#starts - 1),
      ...(notRespondingSince ? { notRespondingSince: notRespondingSince.toISOString() } : {}),
    };
  }
}
