import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import process from "node:process";
import type { Clock } from "@keelson/base";

const preload = new URL(`end-with-parent${extname(import.meta.url)}`, import.meta.url).href;
const maxOutput = 65_536;

export interface UnitProcessOptions {
  /** `keelson-rp.service` */
  readonly name: string;
  /** Path of the program's `main.ts`. */
  readonly script: string;
  readonly args: readonly string[];
  /** Directory of the log file and the process ID file. */
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
}

/** Process of a unit. */
export class UnitProcess {
  readonly #child: ChildProcess;
  readonly #clock: Clock;
  readonly #ended: Promise<number | null>;
  #output = "";

  private constructor(child: ChildProcess, clock: Clock) {
    this.#child = child;
    this.#clock = clock;
    this.#ended = once(child, "close").then(
      ([code]) => code,
      () => null,
    );
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#output = (this.#output + text).slice(-maxOutput);
    });
  }

  /** Starts the process. Writes its ID to `NAME.pid` and its log to `NAME.log`. */
  static async start(options: UnitProcessOptions): Promise<UnitProcess> {
    const { name, script, args, directory, environment, clock } = options;
    const flags = ["--disable-warning=ExperimentalWarning", "--import", preload];
    const child = spawn(process.execPath, [...flags, script, ...args], {
      env: environment,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    const log = createWriteStream(join(directory, `${name}.log`), { flags: "a" });
    log.on("error", () => child.stderr?.resume());
    child.stderr?.pipe(log);
    const unit = new UnitProcess(child, clock);
    await writeFile(join(directory, `${name}.pid`), `${child.pid ?? ""}\n`);
    return unit;
  }

  /** Returns the last part of the process's standard output. */
  get output(): string {
    return this.#output;
  }

  /** Resolves to the exit code, or to `null` if a signal terminated the process. */
  get ended(): Promise<number | null> {
    return this.#ended;
  }

  /** Sends SIGTERM. Sends SIGKILL if the process is still running after `limitMs`. */
  async stop(limitMs: number): Promise<void> {
    this.#child.kill("SIGTERM");
    const over = new AbortController();
    const ended = this.#ended.finally(() => over.abort());
    await this.#clock.sleep(limitMs, over.signal).then(
      () => this.kill(),
      () => undefined,
    );
    await ended;
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }
}
