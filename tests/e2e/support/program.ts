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

/** Most programs of tests end before PostgreSQL's WebAssembly has earned the time that optimizing it takes. */
const shortLived = ["--liftoff-only"];

/** Clusters of tests that are not about operators do without their processes. */
const environment = { KEELSON_OPERATORS: "none", ...process.env };

/** One run of the `keelson` program as a process of its own, which ends with this one however that ends. */
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

  /** With options of Node itself, instead of those for a program that soon ends. */
  static startUnder(nodeOptions: readonly string[], ...args: string[]): Program {
    return Program.#spawn(process.cwd(), args, nodeOptions);
  }

  /** The program of another checkout, by its `main.ts`. */
  static startOf(script: string, ...args: string[]): Program {
    return Program.#spawn(process.cwd(), args, shortLived, script);
  }

  /** Of an installation of its own, by the command that runs it. */
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

  /** Runs to the end. */
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

  /** Waits for text on standard output; fails when the program ends first. */
  says(pattern: RegExp, timeoutMs = 240_000): Promise<string> {
    return this.#until("stdout", pattern, timeoutMs);
  }

  /** Waits for text on standard error; fails when the program ends first. */
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

  /** Resolves to the exit code, after the end of the output. @throws AbortError */
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

/** A state directory below the temporary folder, removed at the end. */
export class StateDirectory implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "keelson-e2e-"));

  file(name: string): string {
    return join(this.path, name);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
  }
}
