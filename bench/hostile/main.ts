import process from "node:process";
import {
  agentFor,
  type EmbeddedProcess,
  type HostileCase,
  HostileClient,
  hostileCases,
  type ProcessReport,
  startEmbeddedProcess,
} from "@keelson/apiserver/testing";
import { type BenchOption, optionReader } from "../support/options.ts";
import { printTable } from "../support/table.ts";
import { Attack } from "./attack.ts";
import { QuietCluster, type QuietFigures } from "./quiet-cluster.ts";

const megabyte = 1_048_576;

export const hostileOptions = {
  seconds: {
    value: "N",
    help: "duration of each case, in seconds; 0 skips the separate cases",
    least: 0,
    initial: "10",
  },
  minutes: {
    value: "N",
    help: "duration of the final run with all cases concurrently, in minutes; also reports memory",
    least: 0,
    initial: "0",
  },
  connections: { value: "N", help: "number of connections of each case", least: 1, initial: "2" },
  only: { value: "TEXT", help: "run only cases with this string in their name", initial: "" },
} satisfies Record<string, BenchOption>;

/**
 * Sends each kind of hostile request repeatedly to one logical cluster. Measures response times of a second, quiet cluster in the
 * same process. `given` contains values of `hostileOptions`.
 */
export async function benchHostile(given: Readonly<Record<string, string>>): Promise<void> {
  const optionOf = optionReader(hostileOptions, given);
  const { PROFILE } = process.env;
  const execArgv = PROFILE ? ["--cpu-prof", `--cpu-prof-dir=${PROFILE}`] : [];
  await using server = await startEmbeddedProcess({ more: ["quiet"], execArgv });
  const [quietUrl = ""] = server.urls;
  const hostile = agentFor(server.authority, server.admin);
  const quietAgent = agentFor(server.authority, server.admin, 8);
  await using quiet = await QuietCluster.start(quietUrl, quietAgent);
  try {
    const client = new HostileClient(server.url, hostile);
    const chosen = hostileCases.filter(({ name }) => name.includes(optionOf("only")));
    const seconds = Number(optionOf("seconds"));
    const connections = Number(optionOf("connections"));
    await measured(server, quiet, seconds);
    const rows = [head, rowOf("idle", await measured(server, quiet, Math.max(1, seconds)))];
    for (const each of chosen) {
      await each.prepare?.(client);
      if (seconds === 0) continue;
      await server.report();
      const attack = new Attack(client, [each], connections);
      const found = await measured(server, quiet, seconds);
      rows.push(rowOf(each.name, found, await attack.end()));
      process.stderr.write(`${rows.at(-1)?.join("  ")}\n`);
    }
    printTable(rows.map((row) => row.slice(0, -1)));
    const minutes = Number(optionOf("minutes"));
    if (minutes > 0) await soak(server, quiet, client, chosen, minutes);
  } finally {
    await hostile.destroy();
    await quietAgent.destroy();
  }
}

interface Measured extends ProcessReport {
  readonly quiet: QuietFigures;
}

async function measured(server: EmbeddedProcess, quiet: QuietCluster, seconds: number): Promise<Measured> {
  await server.report();
  const figures = await quiet.measure(seconds * 1_000);
  return { quiet: figures, ...(await server.report()) };
}

const head = [
  "quiet cluster beside",
  "requests",
  "p50 ms",
  "p99 ms",
  "max ms",
  "watch p50",
  "watch p99",
  "loop p50",
  "loop p99",
  "loop max",
  "CPU p99",
  "CPU max",
  "RSS MB",
  "heap MB",
  "hostile answers",
];

function rowOf(
  name: string,
  { quiet, delayMs, burstMs, rssBytes, heapBytes }: Measured,
  responses = "",
): string[] {
  const ms = (value: number) => value.toFixed(value < 10 ? 1 : 0);
  return [
    name,
    String(quiet.requests),
    ms(quiet.p50),
    ms(quiet.p99),
    ms(quiet.max),
    ms(quiet.watchP50),
    ms(quiet.watchP99),
    ms(delayMs.p50),
    ms(delayMs.p99),
    ms(delayMs.max),
    ms(burstMs.p99),
    ms(burstMs.max),
    String(Math.round(rssBytes / megabyte)),
    String(Math.round(heapBytes / megabyte)),
    responses,
  ];
}

/** Runs all cases at the same time. Prints one row per minute. */
async function soak(
  server: EmbeddedProcess,
  quiet: QuietCluster,
  client: HostileClient,
  cases: readonly HostileCase[],
  minutes: number,
): Promise<void> {
  const attack = new Attack(client, cases, 1);
  const rows = [head];
  for (let minute = 1; minute <= minutes; minute++) {
    rows.push(rowOf(`minute ${minute}`, await measured(server, quiet, 60)));
    process.stdout.write(`${rows.at(-1)?.join("  ")}\n`);
  }
  process.stdout.write(`${await attack.end()}\n`);
  printTable(rows);
}
