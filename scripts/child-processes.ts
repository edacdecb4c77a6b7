import { randomUUID } from "node:crypto";
import { constants } from "node:os";
import process from "node:process";
import { listProcesses, readProcess } from "./process-table.ts";

/** Environment variable that marks all child processes, including detached ones. It contains the IDs of all enclosing runs. */
const marker = "KEELSON_RUN_IDS";

/** Direct and indirect child processes of this process. Empty on systems other than Linux. */
export class ChildProcesses {
  /** True after a signal that `supervise` handles has arrived. */
  isInterrupted = false;
  readonly #id = randomUUID();

  /**
   * Marks all processes that start from now on. After SIGINT, SIGTERM or SIGHUP, stops these processes, runs `onSignal` and exits
   * with the signal's exit code. Must be called before the first child process starts.
   */
  static supervise(onSignal: (signal: NodeJS.Signals) => void = () => undefined): ChildProcesses {
    const children = new ChildProcesses();
    process.env[marker] = [process.env[marker], children.#id].filter(Boolean).join(",");
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.once(signal, async () => {
        children.isInterrupted = true;
        await children.stop();
        onSignal(signal);
        process.exit(128 + constants.signals[signal]);
      });
    return children;
  }

  /** Returns the IDs of marked processes, and of unmarked processes that descend from this process. */
  list(): readonly number[] {
    const parents = new Map(
      listProcesses().map(({ pid, parent, isZombie }) => [pid, isZombie ? undefined : parent]),
    );
    const isDescendant = (pid: number | undefined): boolean =>
      pid !== undefined && (pid === process.pid || isDescendant(parents.get(pid)));
    return [...parents.keys()].filter(
      (pid) => pid !== process.pid && (this.#isMarked(pid) || isDescendant(parents.get(pid))),
    );
  }

  /** Sends SIGTERM to all child processes. After `graceMs` milliseconds, sends SIGKILL to the remaining ones. */
  async stop(graceMs = 2_000): Promise<void> {
    signalAll(this.list(), "SIGTERM");
    const deadline = performance.now() + graceMs;
    while (this.list().length > 0 && performance.now() < deadline) await sleep(50);
    // Repeats because a process may start further processes while it exits.
    for (let left = this.list(); left.length > 0; left = this.list()) {
      signalAll(left, "SIGKILL");
      await sleep(20);
    }
  }

  #isMarked(pid: number): boolean {
    const variable = readProcess(pid, "environ")
      .split("\0")
      .find((each) => each.startsWith(`${marker}=`));
    return (
      variable
        ?.slice(marker.length + 1)
        .split(",")
        .includes(this.#id) === true
    );
  }
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has exited.
    }
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
