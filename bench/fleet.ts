import process from "node:process";
import type { Program } from "../tests/e2e/support/program.ts";
import { cpuMsOf, peakResidentMb, residentMb } from "./support/cpu-time.ts";
import { DatabaseSize } from "./support/database-size.ts";
import { createIn, pathOf, startFleet, type Watched } from "./support/fleet-world.ts";
import { liveHeapMibOf } from "./support/inspected-process.ts";
import { figure, printTable } from "./support/table.ts";

/** Maximum number of clusters in a batch. Fleets of fewer than 500 clusters have five smaller batches. */
const largestBatch = 100;
/** Time limit of one batch in milliseconds. It is sufficient for a busy machine. */
const batchLimitMs = 3_600_000;

/** Measured cost of one batch of operations. */
interface Batch {
  readonly count: number;
  readonly ms: number;
  /** CPU time of each process in milliseconds. The entries are in the same order as the processes. */
  readonly cpuMs: readonly number[];
  readonly residentMb: readonly number[];
}

/**
 * Creates, updates and deletes clusters in batches of up to a hundred. Uses one service process, PostgreSQL and one simulation
 * process. `CLUSTERS` sets the number of clusters. Default: 1,000. A rising cost per batch shows that an operation's cost depends
 * on the size of the fleet. The service's memory shows whether data of deleted clusters remains in memory.
 */
export async function benchFleet(): Promise<void> {
  const { PROFILE } = process.env;
  const size = Number(process.env.CLUSTERS ?? 1_000);
  const perBatch = Math.min(largestBatch, Math.ceil(size / 5));
  const names = Array.from({ length: size }, (_, i) => `fleet${i}`);
  await using fleet = await startFleet(PROFILE ? ["--cpu-prof", `--cpu-prof-dir=${PROFILE}`] : []);
  const { client, watched } = fleet;
  const path = (name: string) => pathOf(client, name);
  const ask = {
    create: (name: string) => createIn(client, name),
    update: (name: string) => client.call("PATCH", path(name), { tags: { fleet: "updated" } }),
    delete: (name: string) => client.call("DELETE", path(name)),
  };
  const heads = watched.flatMap(({ name }) => [`${name} CPU s/op`, `${name} MB`]);
  const rows: string[][] = [["clusters", "s", "ops/s", ...heads]];
  const memory: string[][] = [["service", "resident MB", "most so far MB", "live heap MiB"]];
  const noteMemory = async (when: string) => {
    memory.push([when, ...(await memoryOf(fleet.program)).map(figure)]);
    process.stderr.write(`memory of the service ${memory.at(-1)?.join("  ")}\n`);
  };
  await using database = await DatabaseSize.open(fleet.databaseUrl);
  const sizes: string[][] = [
    ["database", "KB per cluster", "of it indexes", "WAL KB per operation", "transactions per operation"],
  ];
  await noteMemory("at the start");
  for (const [verb, request] of Object.entries(ask)) {
    await database.start();
    for (let first = 0; first < size; first += perBatch) {
      const some = names.slice(first, first + perBatch);
      if (verb === "create") for (const name of some) await fleet.makeNetwork(name);
      const batch = await measure(watched, some.length, async () => {
        const accepted = await Promise.all(some.map(request));
        for (const response of accepted) {
          if (response.status >= 300) throw new Error(`${verb}: ${JSON.stringify(response.body)}`);
        }
        for (const response of accepted) {
          const operation = await client.settle(response.headers["azure-asyncoperation"], batchLimitMs);
          if (operation.status !== "Succeeded") throw new Error(`${verb}: ${JSON.stringify(operation)}`);
        }
      });
      rows.push(rowOf(`${verb} ${first + 1} to ${first + some.length}`, batch));
      process.stderr.write(`${rows.at(-1)?.join("  ")}\n`);
      await noteMemory(`after ${verb} ${first + some.length}`);
    }
    sizes.push([`after ${verb}`, ...(await database.perCluster(size)).map(figure)]);
  }
  printTable(rows);
  printTable(memory);
  printTable(sizes);
  // Processes write their CPU profiles only if they are stopped regularly and not killed.
  if (PROFILE) await fleet.stop();
}

/** Returns the resident memory in MB, the peak resident memory in MB, and the live heap in MiB. */
async function memoryOf({ child: { pid = 0 } }: Program): Promise<readonly number[]> {
  return [residentMb(pid), peakResidentMb(pid), await liveHeapMibOf(pid)];
}

async function measure(
  watched: readonly Watched[],
  count: number,
  action: () => Promise<void>,
): Promise<Batch> {
  const cpu = () => watched.map(({ pid, children = false }) => cpuMsOf(pid, { children }));
  const before = cpu();
  const began = performance.now();
  await action();
  const ms = performance.now() - began;
  const cpuMs = cpu().map((after, at) => after - (before[at] ?? 0));
  return { count, ms, cpuMs, residentMb: watched.map(({ pid }) => residentMb(pid)) };
}

function rowOf(name: string, { count, ms, cpuMs, residentMb }: Batch): string[] {
  const each = cpuMs.flatMap((cpu, at) => [figure(cpu / 1000 / count), figure(residentMb[at] ?? 0)]);
  return [name, figure(ms / 1000), figure(count / (ms / 1000)), ...each];
}
