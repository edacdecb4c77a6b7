import process from "node:process";
import { parseArgs } from "node:util";
import {
  agentFor,
  type EmbeddedProcess,
  type HostileCase,
  HostileClient,
  hostileCases,
  type ProcessReport,
  startEmbeddedProcess,
} from "@keelson/apiserver/testing";
import { printTable } from "../table.ts";
import { Attack } from "./attack.ts";
import { QuietCluster, type QuietFigures } from "./quiet-cluster.ts";

const megabyte = 1_048_576;

/**
 * Each case of hostile requests in a loop in one logical cluster, beside a quiet one of the same process: what the quiet
 * one waits for its answers. `--seconds N` for each case (0: straight on to the mix), `--only TEXT` for those named so,
 * `--minutes N` for all cases mixed at the end, with the memory of each minute, `--connections N` for each case.
 */
export async function benchHostile(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: "string", default: "10" },
      minutes: { type: "string", default: "0" },
      connections: { type: "string", default: "2" },
      only: { type: "string", default: "" },
    },
  });
  const { PROFILE } = process.env;
  const execArgv = PROFILE ? ["--cpu-prof", `--cpu-prof-dir=${PROFILE}`] : [];
  await using server = await startEmbeddedProcess({ more: ["quiet"], execArgv });
  const [quietUrl = ""] = server.urls;
  const hostile = agentFor(server.authority, server.admin);
  const quietAgent = agentFor(server.authority, server.admin, 8);
  await using quiet = await QuietCluster.start(quietUrl, quietAgent);
  try {
    const client = new HostileClient(server.url, hostile);
    const chosen = hostileCases.filter(({ name }) => name.includes(values.only));
    const seconds = Number(values.seconds);
    const connections = Number(values.connections);
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
    if (Number(values.minutes) > 0) await soak(server, quiet, client, chosen, Number(values.minutes));
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
  answers = "",
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
    answers,
  ];
}

/** All cases at once, a line for each minute. */
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
