import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { Customers } from "../chaos/customers.ts";
import { exampleRequest } from "../e2e/support/cluster-request.ts";
import { Fleet, leasesOf, type Provider } from "../e2e/support/fleet.ts";
import { assertFinishedStayed, type JournalRow } from "../e2e/support/journal.ts";
import { addUnknownFields, assertUnknownFieldsStayed } from "./unknown-fields.ts";

export interface SideBySideOptions {
  /** `main.ts` of the earlier version. */
  readonly earlier: string;
  /** At once; each is created, updated with fields that no version knows, and deleted, again and again until all phases are over. */
  readonly clusters: number;
  /** How often the phases are gone through. */
  readonly rounds: number;
  /** Between two deaths of a process of either version, on average. */
  readonly killEveryMs: number;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

type Version = "earlier" | "later";

/** Which two processes run, one phase after another: forward, and back to where it began. */
const phases: readonly (readonly [Version, Version])[] = [
  ["earlier", "earlier"],
  ["earlier", "later"],
  ["later", "later"],
  ["later", "earlier"],
  ["earlier", "earlier"],
];
/** Of the version that `earlier` is at least. */
const apiVersion = "2023-11-22";

/**
 * Processes of an earlier version and of this one on one PostgreSQL, in every mixture of an upgrade and of its way back, while
 * customers create, update and delete clusters and processes are killed.
 * @returns operations that ended, and processes that were killed
 * @throws AssertionError for an operation that does not end well, a finished step that runs again, and a field that is lost
 */
export async function runSideBySide(
  options: SideBySideOptions,
): Promise<{ readonly operations: number; readonly kills: number }> {
  const { clusters, earlier, report, signal } = options;
  const names = Array.from({ length: clusters }, (_, at) => `mixed${at}`);
  await using fleet = await Fleet.start({ names, config: leasesOf(10_000), worldScript: earlier });
  const processes = new MixedProcesses(fleet, options);
  const customers = new Customers({
    client: () => processes.anyClient(),
    failures: (name) => fleet.failures(name),
    apiVersion,
    report,
    signal,
  });
  await processes.enter(phases[0] ?? []);
  const requests = new Map<string, object>();
  for (const name of names)
    requests.set(name, exampleRequest("20250725", await processes.anyClient().clusterVariables(name)));
  const phasesOver = new AbortController();
  const changing = processes.change().finally(() => phasesOver.abort());
  changing.catch(() => undefined);
  const live = async (name: string) => {
    do {
      await customers.create(name, requests.get(name) ?? {});
      await addUnknownFields(fleet, name);
      for (const round of ["first", "second", "third"]) {
        await customers.update(name, { round });
        await assertUnknownFieldsStayed(fleet, name);
      }
      await customers.delete(name);
    } while (!phasesOver.signal.aborted);
  };
  await Promise.all([changing, ...names.map(live)]);
  const operations = await fleet.endedOperations();
  assert.ok(operations >= clusters * 5, `${operations} operations`);
  assert.equal((await fleet.database.query("select id from openshift_clusters")).rowCount, 0);
  return { operations, kills: processes.kills };
}

/** Two processes, of which now and then one is killed, or stopped for one of the other version. */
class MixedProcesses {
  readonly #fleet: Fleet;
  readonly #options: SideBySideOptions;
  #alive: { readonly version: Version; readonly provider: Provider }[] = [];
  #journal: ReadonlyMap<string, JournalRow> = new Map();
  kills = 0;

  constructor(fleet: Fleet, options: SideBySideOptions) {
    this.#fleet = fleet;
    this.#options = options;
  }

  anyClient() {
    const chosen = this.#alive[Math.floor(Math.random() * this.#alive.length)];
    if (!chosen) throw new Error("no process of the service lives");
    return chosen.provider.client;
  }

  /** Goes through all phases; in each, one process is killed. */
  async change(): Promise<void> {
    for (let round = 0; round < this.#options.rounds; round++)
      for (const phase of phases) {
        await this.enter(phase);
        await this.#pause();
        await this.#kill();
        await this.#pause();
      }
  }

  /** Exchanges what is not of this phase, one process after another: one of the two always lives. */
  async enter(phase: readonly Version[]): Promise<void> {
    const spare = [...this.#alive];
    const missing = phase.filter((version) => {
      const at = spare.findIndex((each) => each.version === version);
      if (at >= 0) spare.splice(at, 1);
      return at < 0;
    });
    for (const version of missing) {
      await this.#start(version);
      const stopped = spare.pop();
      if (!stopped) continue;
      this.#alive = this.#alive.filter((each) => each !== stopped);
      await stopped.provider.program.signal("SIGTERM");
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
    const journal = await this.#fleet.journal();
    // A row goes with its operation's age; those of both readings are compared.
    assertFinishedStayed(this.#journal, journal);
    this.#journal = journal;
    await this.#start(victim.version);
  }

  async #start(version: Version): Promise<void> {
    const script = version === "earlier" ? this.#options.earlier : undefined;
    this.#alive.push({ version, provider: await this.#fleet.provider(script) });
  }

  async #pause(): Promise<void> {
    const { killEveryMs, signal } = this.#options;
    await delay(killEveryMs * (0.25 + Math.random() / 2), undefined, { signal });
  }
}
