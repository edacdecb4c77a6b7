import { setTimeout as delay } from "node:timers/promises";
import { Program } from "../e2e/support/program.ts";

export interface InstallResult {
  /** Exit code of `keelson cluster create`, which ran during the crash. */
  readonly exitCode: number | null;
  /** Provisioning state of the cluster before the signal. */
  readonly before: string;
  /** Provisioning state of the cluster after the command has exited. */
  readonly after: string;
  /** Standard error of a failed command. */
  readonly stderr?: string;
}

export interface InstallOptions {
  readonly state: string;
  readonly name: string;
  /** Returns the provisioning state of a cluster. */
  readonly find: (name: string) => Promise<string>;
  readonly signal: AbortSignal;
}

/** Maximum milliseconds from the start of an installation to the crash. A complete installation takes several times as long. */
const latestMs = 1_500;

/** Cluster installation with `keelson cluster create`. */
export class Install implements AsyncDisposable {
  readonly #options: InstallOptions;
  readonly #program: Program;
  #before = "";

  private constructor(options: InstallOptions, program: Program) {
    this.#options = options;
    this.#program = program;
  }

  /** Starts an installation. Resolves at a random time during the installation. */
  static async begin(options: InstallOptions): Promise<Install> {
    const { state, name, find, signal } = options;
    const install = new Install(options, Program.start("cluster", "create", name, "--state", state));
    try {
      while ((await find(name)) === "absent") await delay(50, undefined, { signal });
      await delay(Math.random() * latestMs, undefined, { signal });
      install.#before = await find(name);
      return install;
    } catch (error) {
      await install[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Waits until the command exits, then deletes the cluster. */
  async end(): Promise<InstallResult> {
    const { state, name, signal } = this.#options;
    const exitCode = await this.#program.exited(signal);
    const { stderr } = this.#program;
    const after = await this.#terminal();
    const deleted = await Program.run("cluster", "delete", name, "--state", state);
    if (deleted.code !== 0) throw new Error(`cluster delete: ${deleted.stderr}`);
    return {
      exitCode,
      before: this.#before,
      after,
      ...(exitCode === 0 ? {} : { stderr: stderr.slice(-1_000) }),
    };
  }

  /** Waits until the cluster is in a terminal state. */
  async #terminal(): Promise<string> {
    const { name, find, signal } = this.#options;
    for (;;) {
      const state = await find(name).catch(() => "");
      if (state === "Succeeded" || state === "Failed") return state;
      await delay(100, undefined, { signal });
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#program[Symbol.asyncDispose]();
  }
}
