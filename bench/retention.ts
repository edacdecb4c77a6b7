import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createHistogram } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { postgresDriver } from "@keelson/database";
import { startPostgres } from "@keelson/database/testing";
import type { ServiceDatabase } from "@keelson/model";
import { cpuMsOf } from "./support/cpu-time.ts";
import { openBenchDatabase } from "./support/open-database.ts";
import {
  clusterKeyOf,
  OperationRecords,
  recordsPerCluster,
  subscriptionOf,
} from "./support/operation-records.ts";
import { type BenchOption, optionReader } from "./support/options.ts";
import { figure, printTable } from "./support/table.ts";
import { timed } from "./support/timed.ts";

export const retentionOptions = {
  records: { value: "N", help: "number of operation records", least: 1_000, initial: "1000000" },
  expired: {
    value: "PERCENT",
    help: "percentage of the records that have expired",
    least: 1,
    initial: "25",
  },
  quiet: { value: "SECONDS", help: "duration of the measurement before and after", least: 1, initial: "30" },
} satisfies Record<string, BenchOption>;

const signal = new AbortController().signal;
const pollMs = 500;

/**
 * Measures the maintenance of PostgreSQL with a million finished operations. A quarter of them has expired, as after the service
 * was down for some days. The service's housekeeping deletes them, autovacuum runs with its default settings, and the same number of
 * new records reuses the space. A client reads operations during all phases.
 */
export async function benchRetention(given: Readonly<Record<string, string>>): Promise<void> {
  const textOf = optionReader(retentionOptions, given);
  const option = (name: keyof typeof retentionOptions) => Number(textOf(name));
  const count = option("records");
  const expired = Math.round((count * option("expired")) / 100);
  await using server = await startPostgres();
  const url = await server.createDatabase();
  const [pid = ""] = readFileSync(join(server.dataDirectory, "postmaster.pid"), "utf8").split("\n");
  // This database does not delete expired records.
  await using database = await openBenchDatabase(postgresDriver({ url }), "documents");
  await using records = await OperationRecords.open(url);
  const cpu = () => cpuMsOf(Number(pid), { children: true });
  const rows: string[][] = [
    [
      `${count} operations on PostgreSQL`,
      "seconds",
      "database CPU s",
      "live rows",
      "dead rows",
      "table MiB",
      "indexes MiB",
      "GET p50 ms",
      "GET p99 ms",
      "GET max ms",
      "LIST p50 ms",
      "LIST p99 ms",
      "LIST max ms",
    ],
  ];
  /** Runs one phase, and adds its row. */
  const phase = async (name: string, action: () => Promise<unknown>, readers?: ServiceDatabase) => {
    const [startedMs, startedCpuMs] = [performance.now(), cpu()];
    await using client = readers && new Reader(readers, count);
    await action();
    const seconds = (performance.now() - startedMs) / 1_000;
    const cpuSeconds = (cpu() - startedCpuMs) / 1_000;
    const latencies = (await client?.stop()) ?? Array.from({ length: 6 }, () => "");
    const { live, dead, tableMib, indexMib } = await records.state();
    const sizes = [figure(tableMib), figure(indexMib)];
    rows.push([name, figure(seconds), figure(cpuSeconds), `${live}`, `${dead}`, ...sizes, ...latencies]);
  };
  await phase("load", () => records.insert({ from: 0, to: count, expired }));
  await phase("vacuum after the load", () => records.vacuum());
  await phase("reads without maintenance", () => delay(option("quiet") * 1_000), database);
  const earlier = await records.autovacuums();
  {
    await using _ = await openBenchDatabase(postgresDriver({ url }));
    // The housekeeping begins a minute after the start.
    await until(async () => (await records.expired()) < expired);
    await phase(
      `delete ${expired} expired records`,
      () => until(async () => (await records.expired()) === 0),
      database,
    );
    await phase(
      "wait for autovacuum, and its run",
      () => until(async () => (await records.autovacuums()).count > earlier.count),
      database,
    );
    const { ms } = await records.autovacuums();
    const others = Array.from({ length: 11 }, () => "");
    rows.push(["runs of autovacuum until here", figure((ms - earlier.ms) / 1_000), ...others]);
    await phase(
      `insert ${expired} new records`,
      () => records.insert({ from: count, to: count + expired, expired: 0 }),
      database,
    );
    await phase("reads afterwards", () => delay(option("quiet") * 1_000), database);
  }
  printTable(rows);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(pollMs);
}

/** Client that reads one operation and the newest operations of one cluster in turn. */
class Reader implements AsyncDisposable {
  readonly #get = createHistogram();
  readonly #list = createHistogram();
  readonly #running: Promise<void>;
  #isStopped = false;

  constructor(database: ServiceDatabase, count: number) {
    this.#running = this.#read(database, count);
  }

  /** Returns p50, p99 and maximum of both kinds of requests in milliseconds. */
  async stop(): Promise<readonly string[]> {
    this.#isStopped = true;
    await this.#running;
    return [this.#get, this.#list].flatMap((each) =>
      [each.percentile(50), each.percentile(99), each.max].map((ns) => figure(ns / 1e6)),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #read({ collections: { operations } }: ServiceDatabase, count: number): Promise<void> {
    while (!this.#isStopped) {
      const cluster = Math.floor((Math.random() * count) / recordsPerCluster);
      const partitionKey = subscriptionOf(cluster);
      const where = { openShiftClusterKey: clusterKeyOf(cluster) };
      const query = { partitionKey, where, orderBy: "newestFirst", limit: 10 };
      const { items } = await timed(this.#list, () => operations.list(query, signal));
      const id = items[0]?.document.id;
      if (id !== undefined) await timed(this.#get, () => operations.find(partitionKey, id, signal));
      // Leaves most of the CPU time to the database.
      await delay(5);
    }
  }
}
