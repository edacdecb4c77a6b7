import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { spawnBound } from "@keelson/base";

const main = new URL("../../../cmd/keelson/src/main.ts", import.meta.url).pathname;

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Options of Node.js for short-lived programs. The first option disables the optimizing compiler for PostgreSQL's WebAssembly. The second
 * option avoids garbage collections while modules load.
 */
const shortLived = ["--liftoff-only", "--min-semi-space-size=16"];

/** Default environment without operator processes. Tests that need operators set the option `--operators`. */
const environment = { KEELSON_OPERATORS: "none", ...process.env };

/** Child process of the `keelson` program. The child process never outlives the current process. */
export class Program implements AsyncDisposable {
  readonly child: ChildProcess;
  stdout = "";
  stderr = "";

  private constructor(child: ChildProcess) {
    this.child = child;
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
  }

  static start(...args: string[]): Program {
    return Program.startUnder(shortLived, ...args);
  }

  /** Starts the program with the given Node.js options. Default: the options for short runs. */
  static startUnder(nodeOptions: readonly string[] = shortLived, ...args: string[]): Program {
    return Program.#spawn(process.cwd(), args, nodeOptions);
  }

  /** Starts the `main.ts` of a different checkout. */
  static startOf(script: string, ...args: string[]): Program {
    return Program.#spawn(process.cwd(), args, shortLived, script);
  }

  /** Starts the program of a separate installation. `command` is the command of this installation. */
  static startCommand(command: string, ...args: string[]): Program {
    return new Program(spawnBound(command, args, { env: environment, stdio: ["ignore", "pipe", "pipe"] }));
  }

  static #spawn(
    cwd: string,
    args: readonly string[],
    nodeOptions: readonly string[],
    script = main,
  ): Program {
    const command = ["--disable-warning=ExperimentalWarning", ...nodeOptions, script, ...args];
    return new Program(
      spawnBound(process.execPath, command, { cwd, env: environment, stdio: ["ignore", "pipe", "pipe"] }),
    );
  }

  /** Runs the program until it exits. */
  static run(...args: string[]): Promise<Outcome> {
    return Program.runIn(process.cwd(), ...args);
  }

  static async runIn(directory: string, ...args: string[]): Promise<Outcome> {
    await using program = Program.#spawn(directory, args, shortLived);
    const [code] = await once(program.child, "close");
    return { code, stdout: program.stdout, stderr: program.stderr };
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Waits until standard output matches. Rejects if the program exits first. */
  says(pattern: RegExp, timeoutMs = 240_000): Promise<string> {
    return this.#until("stdout", pattern, timeoutMs);
  }

  /** Waits until standard error matches. Rejects if the program exits first. */
  reports(pattern: RegExp, timeoutMs = 240_000): Promise<string> {
    return this.#until("stderr", pattern, timeoutMs);
  }

  async #until(output: "stdout" | "stderr", pattern: RegExp, timeoutMs: number): Promise<string> {
    const deadline = performance.now() + timeoutMs;
    while (!pattern.test(this[output])) {
      if (!this.running || performance.now() > deadline) {
        throw new Error(`no ${pattern} in:\n${this.stdout}\n--- standard error:\n${this.stderr}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return this[output];
  }

  /** Waits for the exit and the end of the output. Returns the exit code. @throws AbortError */
  async exited(signal: AbortSignal): Promise<number | null> {
    while (this.running || this.child.stdout?.readableEnded === false) {
      signal.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return this.child.exitCode;
  }

  async signal(name: NodeJS.Signals): Promise<number | null> {
    if (!this.running) return this.child.exitCode;
    const ended = once(this.child, "exit");
    this.child.kill(name);
    await ended;
    return this.child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.signal("SIGKILL");
  }
}

/** Temporary state directory. Disposal removes it. */
export class StateDirectory implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "keelson-e2e-"));

  file(name: string): string {
    return join(this.path, name);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
  }
}
