import assert from "node:assert/strict";
import { loadavg } from "node:os";
import { inspect } from "node:util";
import { ArmClient } from "../e2e/support/arm-client.ts";
import type { CrashCase } from "./crash-case.ts";
import { CrashedInstance } from "./crashed-instance.ts";
import type { CrashRow } from "./evaluate.ts";
import { runCase } from "./run-case.ts";

/** Milliseconds without failures after which a case ends. */
const quietMs = 5_000;
/** Maximum duration of a case in milliseconds. */
const caseLimitMs = 1_200_000;

/**
 * Runs crash cases. All cases with the same number of clusters share one instance. The instance is restarted between cases
 * because the supervisor limits the number of exits.
 */
export class CrashMatrix implements AsyncDisposable {
  readonly #suspendMs: number;
  #instance: CrashedInstance | undefined;
  #clusters = 0;

  constructor(suspendMs: number) {
    this.#suspendMs = suspendMs;
  }

  async run(each: CrashCase): Promise<CrashRow> {
    try {
      const instance = await this.#prepare(each.clusters);
      const { result, databaseCopy } = await runCase(instance, each, {
        suspendMs: this.#suspendMs,
        quietMs,
        signal: AbortSignal.timeout(caseLimitMs),
      });
      await instance.stop();
      const repeated = await instance.repeatedSteps(databaseCopy === undefined ? [] : [databaseCopy]);
      return { case: each, load: loadavg()[0] ?? 0, result, repeatedSteps: repeated.flat() };
    } catch (error) {
      // The next case starts a new instance.
      await this.#dispose();
      return { case: each, load: loadavg()[0] ?? 0, error: inspect(error) };
    }
  }

  /** Removes the state directory after all processes have exited. */
  removeState(): void {
    this.#instance?.state[Symbol.dispose]();
  }

  async #prepare(clusters: number): Promise<CrashedInstance> {
    if (this.#instance !== undefined && this.#clusters === clusters) {
      await this.#instance.up();
      return this.#instance;
    }
    await this.#dispose();
    const names = Array.from({ length: clusters - 1 }, (_, at) => `fleet${at}`);
    this.#instance = new CrashedInstance({ nodeOptions: [], operators: "shared", subnetsFor: names });
    this.#clusters = clusters;
    await this.#instance.up();
    await createClusters(this.#instance.state.file("endpoints.json"), names);
    return this.#instance;
  }

  async #dispose(): Promise<void> {
    await this.#instance?.[Symbol.asyncDispose]();
    this.#instance = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dispose();
  }
}

async function createClusters(endpoints: string, names: readonly string[]): Promise<void> {
  await using client = new ArmClient(endpoints);
  for (const name of names) await client.createCluster(name);
  for (const name of names) assert.equal(await client.terminal(name, 3_600_000), "Succeeded", name);
}
