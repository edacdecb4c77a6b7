import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import {
  type RunState,
  type RunStatus,
  readRunStatus,
  runStateOf,
} from "../../cmd/keelson/src/state/component-status.ts";
import { stateHolder } from "../../cmd/keelson/src/state/state-lock.ts";
import { type Endpoints, readEndpoints } from "../e2e/support/endpoints.ts";
import { repeatedSteps } from "../e2e/support/journal.ts";
import { Program, StateDirectory } from "../e2e/support/program.ts";
import { readJournal } from "../e2e/support/stored-documents.ts";
import { embeddedDocuments } from "../upgrade/documents/embedded-documents.ts";
import { type Victim, victims } from "./crash-case.ts";

/** Start timeout in milliseconds. It is sufficient for a very busy machine. */
const startLimitMs = 3_600_000;

export interface InstanceOptions {
  /** Node.js options of the program. */
  readonly nodeOptions: readonly string[];
  readonly operators: "shared" | "none";
  /** Names of the clusters for which subnets are created. */
  readonly subnetsFor: readonly string[];
}

/** Runs `keelson up` with the cluster "demo" and finds its processes. Linux only. */
export class CrashedInstance implements AsyncDisposable {
  readonly state = new StateDirectory();
  readonly #options: InstanceOptions;
  #program: Program | undefined;

  constructor(options: InstanceOptions) {
    this.#options = options;
  }

  /** Starts `keelson up`, also after a crash. Resolves when the cluster "demo" exists. */
  async up(): Promise<void> {
    const { nodeOptions, operators, subnetsFor } = this.#options;
    const flags = ["--state", this.state.path, "--ports", "auto", "--operators", operators];
    if (subnetsFor.length > 0) flags.push("--subnets-for", ...subnetsFor);
    this.#program = Program.startUnder(nodeOptions, "up", ...flags);
    await this.#program.says(/endpoints/, startLimitMs);
  }

  /** Stops the instance like Ctrl-C. */
  async stop(): Promise<void> {
    await this.#program?.signal("SIGINT");
  }

  get status(): { readonly state: RunState | undefined; readonly run: RunStatus | undefined } {
    const run = readRunStatus(this.state.path);
    return { run, state: run && runStateOf(run, stateHolder(this.state.path)) };
  }

  /** Returns the process IDs of the supervisor and the components by name. */
  pids(): ReadonlyMap<string, number> {
    const { run } = this.status;
    const entries = (run?.components ?? []).flatMap(({ component, process: pid }) =>
      pid === undefined ? [] : [[component, pid] as const],
    );
    return new Map([...entries, ["supervisor", run?.process ?? 0]]);
  }

  pidOf(victim: Victim): number {
    const pid = this.pids().get(victim);
    if (pid === undefined || pid === 0) throw new Error(`no process of ${victim}`);
    return pid;
  }

  /**
   * Checks that all components respond.
   * @throws Error with the names of the components that do not respond, or with the instance's state if the instance is not
   * running
   */
  requireServing(): void {
    const { state, run } = this.status;
    if (state !== "running") throw new Error(state ?? "starting");
    const serving = new Set(
      run?.components
        .filter((each) => each.state === "serving" && !each.notRespondingSince)
        .map(({ component }) => component),
    );
    const missing = expectedOf(this.#options).filter((name) => !serving.has(name));
    if (missing.length > 0) throw new Error(`${missing.join(", ")} not serving`);
  }

  /**
   * Copies the database, then sends a fatal signal to a process. Returns the path of the copy. The supervisor and the service are
   * suspended during both actions.
   */
  async crash(victim: Victim, signal: "SIGKILL" | "SIGABRT"): Promise<string> {
    const pid = this.pidOf(victim);
    const suspended = [this.pidOf("supervisor"), this.pidOf("service")];
    try {
      for (const each of suspended) await suspend(each);
      const copy = mkdtempSync(join(this.state.path, "journal-"));
      await cp(this.state.file("database"), copy, { recursive: true });
      process.kill(pid, signal);
      return copy;
    } finally {
      for (const each of suspended) resume(each);
    }
  }

  /**
   * Returns one list for each copy of the database. The list contains the steps that were completed in the copy but started again
   * later. A step has the form `operation.step`. The instance must be stopped.
   */
  async repeatedSteps(copies: readonly string[]): Promise<readonly (readonly string[])[]> {
    const read = (directory: string) => readJournal(embeddedDocuments(directory));
    const now = await read(this.state.file("database"));
    const repeated: string[][] = [];
    for (const copy of copies) repeated.push(repeatedSteps(await read(copy), now).map(({ id }) => id));
    return repeated;
  }

  /** Runs `keelson status` and returns its output. */
  async printedStatus(): Promise<string> {
    return (await Program.run("status", "--state", this.state.path)).stdout;
  }

  endpoints(): Endpoints & { readonly ca: string } {
    const endpoints = readEndpoints(this.state.file("endpoints.json"));
    return { ...endpoints, ca: readFileSync(endpoints.caFile, "utf8") };
  }

  /** Returns the administrator's kubeconfig of the cluster "demo". */
  kubeconfig(): string {
    return readFileSync(this.state.file("demo.kubeconfig"), "utf8");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program?.[Symbol.asyncDispose]();
    // Waits until the components have exited, because they exit later than their supervisor.
    for (const pid of this.pids().values()) while (existsSync(`/proc/${pid}/cmdline`)) await delay(20);
    this.state[Symbol.dispose]();
  }
}

function expectedOf({ operators }: InstanceOptions): readonly string[] {
  const components = victims.filter((each) => each !== "supervisor");
  return operators === "shared" ? components : components.filter((each) => each !== "operators");
}

function resume(pid: number): void {
  try {
    process.kill(pid, "SIGCONT");
  } catch {
    // The process has exited because of the fatal signal.
  }
}

/** Waits until all threads of a process are suspended. */
async function suspend(pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP");
  while (readdirSync(`/proc/${pid}/task`).some((task) => isRunning(`/proc/${pid}/task/${task}/stat`)))
    await delay(5);
}

function isRunning(statFile: string): boolean {
  try {
    const text = readFileSync(statFile, "utf8");
    return !"TtZX".includes(text[text.lastIndexOf(")") + 2] ?? "");
  } catch {
    // The thread has exited.
    return false;
  }
}
