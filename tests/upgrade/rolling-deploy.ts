import assert from "node:assert/strict";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { Customers } from "../chaos/customers.ts";
import { assertFinishedStayed, type JournalRow } from "../e2e/support/journal.ts";
import { endedOperations, failedSteps, readJournal } from "../e2e/support/stored-documents.ts";
import { DeployedRegion } from "./deployed-region.ts";
import { RetryingReader } from "./retrying-reader.ts";

export interface RollingDeployOptions {
  /** `main.ts` path of the earlier version. */
  readonly earlier: string;
  /** Number of concurrent clusters. Each is created, updated and deleted repeatedly. */
  readonly clusters: number;
  readonly machines: number;
  /** Number of switches between both versions while processes are killed. */
  readonly rounds: number;
  /** Average time between two kills of a process in milliseconds. */
  readonly killEveryMs: number;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface RollingDeployOutcome {
  readonly operations: number;
  readonly kills: number;
  readonly reads: number;
  /** Number of reads that were retried while processes were killed. */
  readonly repeated: number;
}

const apiVersion = "2023-11-22";
/**
 * Maximum allowed number of consecutive failures. Until the load balancer detects a killed process, half of the connections fail.
 */
const mostInARow = 40;

/**
 * Tests rolling deployments with `keelson deploy`.
 *
 * Deploys an earlier version, replaces it with the current version, and deploys the current version again. Then switches between
 * both versions while processes are killed. During the complete test, customers create, update and delete clusters through the
 * load balancer.
 * @throws AssertionError if a request fails while no process is killed, an operation fails, a completed step runs again or a
 * write is lost
 */
export async function runRollingDeploys(options: RollingDeployOptions): Promise<RollingDeployOutcome> {
  const { clusters, earlier, machines, report, signal } = options;
  const names = Array.from({ length: clusters }, (_, at) => `rolled${at}`);
  const versions = Array.from({ length: options.rounds * 2 }, (_, at) => `v${at + 4}`);
  const programs = Object.fromEntries(
    ["v1", ...versions.filter((_, at) => at % 2 === 0)].map((version) => [version, earlier]),
  );
  await using region = await DeployedRegion.start({ names, programs, machines });
  const { fleet } = region;
  await region.deploy("v1", signal);
  await region.client.registerSubscription();
  const customers = new Customers({
    client: () => region.client,
    failures: (name) => failedSteps(fleet, name),
    ...{ apiVersion, report, signal },
  });
  const over = new AbortController();
  const ended = AbortSignal.any([over.signal, signal]);
  const readers = [
    new RetryingReader(() => region.newClient(), false),
    new RetryingReader(() => region.newClient(), true),
  ] as const;
  const journals = new JournalWatch(() => readJournal(fleet));
  const [fresh, kept] = readers;
  let kills = 0;
  const change = async () => {
    report("v2, of this version, instead of v1");
    await region.deploy("v2", signal);
    assert.deepEqual(fresh.failures, [], "no connection is refused while nothing is killed");
    // When a machine of the earlier version stops, it may close one connection with a request in flight.
    assert.ok(kept.failures.length <= machines, JSON.stringify(kept.failures));
    const before = kept.failures.length;
    report("v3, of this version too, instead of v2");
    await region.deploy("v3", signal);
    assert.deepEqual([fresh.failures, kept.failures.slice(before)], [[], []], "no request fails");
    for (const [at, version] of versions.entries()) {
      const replaced = `v${at + 3}`;
      report(
        `${version}, ${programs[version] ? "of the earlier version" : "of this version"}, instead of ${replaced}`,
      );
      const deployed = new AbortController();
      const killing = killNowAndThen(region, [replaced, version], options, deployed.signal, (line) => {
        kills++;
        report(line);
      });
      await region.deploy(version, signal).finally(() => deployed.abort());
      await killing;
    }
  };
  const live = async (name: string) => {
    const request = await region.client.clusterRequest(name);
    do {
      await customers.create(name, request);
      for (const round of ["first", "second", "third"]) await customers.update(name, { round });
      await customers.delete(name);
    } while (!ended.aborted);
  };
  const background = [...readers.map((each) => each.run(ended)), journals.run(ended)];
  const changing = change().finally(() => over.abort());
  await Promise.all([changing, ...background, ...names.map(live)]).finally(() => over.abort());
  const operations = await endedOperations(fleet);
  assert.ok(operations >= clusters * 5, `${operations} operations`);
  assert.equal((await fleet.database.query("select id from openshift_clusters")).rowCount, 0);
  for (const { worst, failures } of readers)
    assert.ok(worst <= mostInARow, `${worst} failures in a row, such as ${failures.at(-1)?.what}`);
  const sum = (of: (reader: RetryingReader) => number) =>
    readers.reduce((total, each) => total + of(each), 0);
  return {
    operations,
    kills,
    reads: sum(({ reads }) => reads),
    repeated: sum(({ failures }) => failures.length),
  };
}

/**
 * Kills the resource provider on the first machine of one version at random times. The machine's systemd unit restarts the
 * resource provider. The other machines are not affected, so that the load balancer always has a working machine.
 */
async function killNowAndThen(
  region: DeployedRegion,
  versions: readonly string[],
  { killEveryMs, signal }: RollingDeployOptions,
  over: AbortSignal,
  report: (line: string) => void,
): Promise<void> {
  const ended = AbortSignal.any([over, signal]);
  for (;;) {
    const pauseMs = killEveryMs * (0.5 + Math.random());
    await delay(pauseMs, undefined, { signal: ended }).catch(() => undefined);
    if (ended.aborted) return;
    const found = await Promise.all(versions.map((each) => region.providerProcesses(each)));
    const victims = found.flatMap(([id], at) => (id === undefined ? [] : [{ id, version: versions[at] }]));
    const victim = victims[Math.floor(Math.random() * victims.length)];
    if (!victim) continue;
    try {
      process.kill(victim.id, "SIGKILL");
      report(`kill of a machine's process of ${victim.version}`);
    } catch {
      // The process had already exited.
    }
  }
}

/** Compares the journal with its previous content every second. */
class JournalWatch {
  readonly #read: () => Promise<ReadonlyMap<string, JournalRow>>;
  #last: ReadonlyMap<string, JournalRow> = new Map();

  constructor(read: () => Promise<ReadonlyMap<string, JournalRow>>) {
    this.#read = read;
  }

  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      const journal = await this.#read();
      assertFinishedStayed(this.#last, journal);
      this.#last = journal;
      if (signal.aborted) return;
      await delay(1_000);
    }
  }
}
