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
  readonly signal: AbortSignal;
}

/** An installation takes several times as long. */
const latestMs = 1_500;

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

  /** Waits for the command, and deletes the cluster again. */
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

  /** Waits until no operation is in flight. */
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
