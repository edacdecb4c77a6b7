import type { Clock } from "@keelson/base";
import type { ComponentStatus } from "../../state/component-status.ts";
import type { ComponentProcess } from "../../supervisor/component-process.ts";
import { untilSuspended } from "../../supervisor/suspend-process.ts";
import { snapshotErrors } from "./snapshot-errors.ts";
import type { WorldProcesses } from "./world-control.ts";

export interface SupervisedWorldOptions {
  /** Components in start order. */
  readonly components: readonly ComponentProcess[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Adapts the component processes of `keelson up` to the interface for snapshots. A pause suspends all processes at the same time.
 * The files then have the same state as after a power failure. Every component can recover from this state.
 */
export function supervisedWorld({ components, clock, signal }: SupervisedWorldOptions): WorldProcesses {
  const resume = () => {
    for (const each of components) each.signal("SIGCONT");
  };
  const requireServing = () => {
    const other = components.find(({ status }) => status.state !== "serving");
    if (other)
      throw snapshotErrors.SnapshotBusy(
        `Component ${other.status.component} is ${other.status.state}. Try again when \`keelson status\` reports "serving".`,
      );
  };
  return {
    async prepare(world) {
      await Promise.all(components.map((each) => each.prepare(world)));
    },
    async discard() {
      await Promise.all(components.map((each) => each.discard()));
    },
    async pause() {
      requireServing();
      for (const each of components) each.signal("SIGSTOP");
      try {
        for (const { status } of components)
          if (status.process !== undefined) await untilSuspended(status.process, clock, signal);
      } catch (error) {
        resume();
        throw error;
      }
      return {
        async [Symbol.asyncDispose]() {
          resume();
        },
      };
    },
    async stop() {
      await Promise.all(components.map((each) => each.hold()));
    },
    async start(world) {
      for (const each of components) each.release(world);
      for (const each of components) requireServed(await each.settled(signal));
    },
  };
}

/** @throws SnapshotFailed if the component has stopped */
function requireServed({ state, component, reason = "unknown reason", log }: ComponentStatus): void {
  if (state !== "serving")
    throw snapshotErrors.SnapshotFailed(`Component ${component} did not start: ${reason}. See ${log}.`);
}
