import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { cpuMsOf, findChild, residentMb } from "./cpu-time.ts";
import { createIn, startFleet } from "./fleet.ts";
import { figure, printTable } from "./table.ts";

const steps = [1, 10, 50, 100, 200, 500, 1_000];
/** Together under way. */
const batch = 10;
const installLimitMs = 1_800_000;
const settleMs = 60_000;
const idleMs = 60_000;

/** Clusters (`CLUSTERS=N`, 200 when absent) whose operators, a master and a worker each, share one process: what they cost while they rest. */
export async function benchOperatorFleet(): Promise<void> {
  const size = Number(process.env.CLUSTERS ?? 200);
  await using fleet = await startFleet([], "shared");
  const world = fleet.watched.find(({ name }) => name === "world")?.pid ?? 0;
  const rows = [
    [
      "clusters",
      "operators MB",
      "MB for each more",
      "CPU ms/min for each",
      "world MB",
      "world CPU ms/min for each",
      "restarts",
    ],
  ];
  let count = 0;
  let restarts = 0;
  let last: number | undefined;
  let before: { readonly count: number; readonly mb: number } | undefined;
  for (const step of [...steps.filter((each) => each < size), size]) {
    while (count < step) {
      const names = Array.from({ length: Math.min(batch, step - count) }, (_, at) => `fleet${count + at}`);
      await install(names);
      count += names.length;
      const now = findChild(world, "operator-host.ts");
      if (last !== undefined && now !== last) restarts += 1;
      last = now;
    }
    const host = findChild(world, "operator-host.ts") ?? 0;
    await delay(settleMs);
    const cpu = [host, world].map((pid) => cpuMsOf(pid));
    await delay(idleMs);
    const spent = [host, world].map((pid, at) => (cpuMsOf(pid) - (cpu[at] ?? 0)) / count);
    const mb = residentMb(host);
    const more = before ? (mb - before.mb) / (count - before.count) : Number.NaN;
    rows.push([
      `${count}`,
      ...[mb, more, spent[0], residentMb(world), spent[1], restarts].map((each) =>
        figure(each ?? Number.NaN),
      ),
    ]);
    process.stderr.write(`${rows.at(-1)?.join("  ")}\n`);
    before = { count, mb };
  }
  printTable(rows);

  async function install(names: readonly string[]): Promise<void> {
    const { client } = fleet;
    for (const name of names) await fleet.makeNetwork(name);
    const answers = await Promise.all(names.map((name) => createIn(client, name)));
    for (const { headers } of answers) {
      const operation = await client.settle(headers["azure-asyncoperation"], installLimitMs);
      if (operation.status !== "Succeeded")
        throw new Error(`a cluster's installation failed: ${JSON.stringify(operation)}`);
    }
  }
}
