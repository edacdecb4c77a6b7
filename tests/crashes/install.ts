import { setTimeout as delay } from "node:timers/promises";
import { Program } from "../e2e/support/program.ts";

export interface InstallResult {
  /** Exit code of `keelson cluster create`, which ran during the crash. */
  readonly exitCode: number | null;
  /** Provisioning states right before the signal and at the end. */
  readonly before: string;
  readonly after: string;
  /** Output of a failed command. */
  readonly stderr?: string;
}

export interface InstallOptions {
  readonly state: string;
  readonly name: string;
  /** Reads the provisioning state of a cluster. */
  readonly find: (name: string) => Promise<string>;
  /** Time from the begin of the installation. Default: random, up to 1.5 s. */
  readonly afterMs?: number;
  readonly signal: AbortSignal;
}

/** An installation by `keelson cluster create`. */
export class Install implements AsyncDisposable {
  readonly #options: InstallOptions;
  readonly #program: Program;
  #before = "";

  private constructor(options: InstallOptions, program: Program) {
    this.#options = options;
    this.#program = program;
  }

  /** Resolves at a random moment of the installation. */
  static async begin(options: InstallOptions): Promise<Install> {
    const { state, name, find, signal, afterMs = Math.random() * 1_500 } = options;
    const install = new Install(options, Program.start("cluster", "create", name, "--state", state));
    try {
      while ((await find(name)) === "absent") await delay(50, undefined, { signal });
      await delay(afterMs, undefined, { signal });
      install.#before = await find(name);
      return install;
    } catch (error) {
      await install[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Waits for the command, and deletes the cluster again. */
  async end(): Promise<InstallResult> {
    const { state, name, find, signal } = this.#options;
    const exitCode = await this.#program.exited(signal);
    const { stderr } = this.#program;
    while (!["Succeeded", "Failed"].includes(await find(name).catch(() => "")))
      await delay(100, undefined, { signal });
    const after = await find(name);
    const deleted = await Program.run("cluster", "delete", name, "--state", state);
    if (deleted.code !== 0) throw new Error(`cluster delete: ${deleted.stderr}`);
    return {
      exitCode,
      before: this.#before,
      after,
      ...(exitCode === 0 ? {} : { stderr: stderr.slice(-1_000) }),
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#program[Symbol.asyncDispose]();
  }
}
