import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@keelson/base/testing";
import { Program } from "../e2e/support/program.ts";

const startLimitMs = 3_600_000;

/** One run of `keelson up` with its first cluster. */
export class Instance implements AsyncDisposable {
  readonly inspectPort: number;
  readonly #up: Program;

  private constructor(up: Program, inspectPort: number) {
    this.#up = up;
    this.inspectPort = inspectPort;
  }

  static async start(state: string): Promise<Instance> {
    const inspectPort = await freePort();
    const flags = ["--state", state, "--ports", "auto", "--operators", "auto"];
    // Uses a different inspector port because other programs may use the default one. The component processes inherit the option.
    const up = Program.startUnder([`--inspect-port=${inspectPort}`], "up", ...flags);
    const instance = new Instance(up, inspectPort);
    try {
      await up.says(/endpoints/, startLimitMs);
      return instance;
    } catch (error) {
      await instance[Symbol.asyncDispose]();
      throw error;
    }
  }

  get pid(): number {
    return this.#up.child.pid ?? 0;
  }

  /** Error message if the supervisor has exited. */
  get failure(): string | undefined {
    return this.#up.running ? undefined : `keelson up has exited: ${this.#up.stderr}`;
  }

  /** Stops the instance gracefully, so that the state directory can be used again. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#up.signal("SIGTERM");
  }
}

/** Returns the database directory. Undefined if no instance has created it yet. */
export function databaseDirectory(state: string): string | undefined {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const path = join(state, "database");
  return existsSync(path) ? path : undefined;
}
