import { setTimeout as delay } from "node:timers/promises";
import type { ArmClient } from "../e2e/support/arm-client.ts";
import { assertFinishedStayed, type JournalRow } from "../e2e/support/journal.ts";
import type { Provider } from "../e2e/support/service-process.ts";
import { readJournal } from "../e2e/support/stored-documents.ts";
import type { MixedWorld } from "./mixed-world.ts";
import { checkUnknownFields } from "./unknown-fields.ts";

type Version = "earlier" | "later";
type Phase = readonly Version[];

/** Versions of the running processes in each phase: first the phases of the upgrade, then those of the rollback. */
const pairs: readonly Phase[] = [
  ["earlier", "earlier"],
  ["earlier", "later"],
  ["later", "later"],
  ["later", "earlier"],
  ["earlier", "earlier"],
];
/** Phases for a database that only one process at a time can open. */
const alone: readonly Phase[] = [["earlier"], ["later"], ["earlier"], ["later"]];
/** Phases for an earlier version that cannot continue operations of the current version. */
const forward = {
  pairs: [
    ["earlier", "earlier"],
    ["later", "later"],
  ],
  alone: [["earlier"], ["later"]],
} satisfies Record<string, readonly Phase[]>;

export interface MixedProcessesOptions {
  /** `main.ts` path of the earlier version. */
  readonly earlier: string;
  /** True if several processes can use the documents at the same time. */
  readonly isShared: boolean;
  readonly isForwardOnly?: boolean;
  readonly rounds: number;
  /** Average time in milliseconds between two kills. Each kill ends one process. */
  readonly killEveryMs: number;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Service processes of two versions. The test kills processes, and replaces processes of one version with processes of the other
 * version.
 */
export class MixedProcesses {
  readonly #world: MixedWorld;
  readonly #options: MixedProcessesOptions;
  readonly #phases: readonly Phase[];
  #alive: { readonly version: Version; readonly provider: Provider }[] = [];
  #last: Provider | undefined;
  #journal: ReadonlyMap<string, JournalRow> = new Map();
  #marked: ReadonlySet<string> = new Set();
  kills = 0;

  constructor(world: MixedWorld, options: MixedProcessesOptions) {
    this.#world = world;
    this.#options = options;
    const { isShared, isForwardOnly = false } = options;
    this.#phases = isForwardOnly ? forward[isShared ? "pairs" : "alone"] : isShared ? pairs : alone;
  }

  /** Returns a client of a running process. If no process is running, returns the client of the last one. */
  anyClient(): ArmClient {
    const chosen = this.#alive[Math.floor(Math.random() * this.#alive.length)]?.provider ?? this.#last;
    if (!chosen) throw new Error("no process of the service lives");
    return chosen.client;
  }

  start(): Promise<void> {
    return this.#enter(this.#phases[0] ?? []);
  }

  /** Runs all phases. Kills one process in each phase. */
  async change(): Promise<void> {
    const { rounds, isForwardOnly } = this.#options;
    for (let round = 0; round < (isForwardOnly ? 1 : rounds); round++)
      for (const phase of this.#phases) {
        await this.#enter(phase);
        await this.#pause();
        await this.#kill();
        await this.#pause();
      }
  }

  /** Stops the running processes. */
  async stop(): Promise<void> {
    for (const { provider } of this.#alive.splice(0)) await provider.program.signal("SIGTERM");
  }

  /**
   * Replaces the processes of the previous phase one by one. If a phase has two processes, at least one process is always running
   * during the replacement.
   */
  async #enter(phase: Phase): Promise<void> {
    const spare = [...this.#alive];
    const missing = phase.filter((version) => {
      const at = spare.findIndex((each) => each.version === version);
      if (at >= 0) spare.splice(at, 1);
      return at < 0;
    });
    if (this.#options.isForwardOnly && spare.length > 0) {
      for (const { provider } of spare.splice(0)) await provider.program.signal("SIGTERM");
      this.#alive = [];
      await this.#whileStopped();
    }
    for (const version of missing) {
      if (this.#options.isShared) await this.#start(version);
      const stopped = spare.pop();
      if (stopped) {
        this.#alive = this.#alive.filter((each) => each !== stopped);
        await stopped.provider.program.signal("SIGTERM");
        await this.#whileStopped();
      }
      if (!this.#options.isShared) await this.#start(version);
    }
    this.#options.report(phase.join(" beside "));
  }

  async #kill(): Promise<void> {
    const victim = this.#alive[Math.floor(Math.random() * this.#alive.length)];
    if (!victim) return;
    this.#alive = this.#alive.filter((each) => each !== victim);
    await victim.provider.program.signal("SIGKILL");
    this.kills++;
    this.#options.report(`kill ${this.kills}, of the ${victim.version} version`);
    const journal = await readJournal(this.#world.documents);
    // Journal rows are deleted with their operation, so only rows that both reads contain are compared.
    assertFinishedStayed(this.#journal, journal);
    this.#journal = journal;
    await this.#whileStopped();
    await this.#start(victim.version);
  }

  /** Reads documents while the process is stopped because it has exclusive access to them. */
  async #whileStopped(): Promise<void> {
    if (this.#options.isShared) return;
    this.#marked = await checkUnknownFields(this.#world.documents, this.#marked);
  }

  async #start(version: Version): Promise<void> {
    const provider = await this.#world.provider(version === "earlier" ? this.#options.earlier : undefined);
    this.#alive.push({ version, provider });
    this.#last = provider;
  }

  async #pause(): Promise<void> {
    const { killEveryMs, signal } = this.#options;
    await delay(killEveryMs * (0.25 + Math.random() / 2), undefined, { signal });
  }
}
