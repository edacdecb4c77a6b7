import process from "node:process";
import type { Command } from "commander";
import { type Fault, type FaultKinds, SimClient } from "../sim-client.ts";
import { readEndpoints } from "../state/endpoints.ts";
import { readIdentity } from "../state/identity.ts";
import { stateOption } from "./options.ts";
import { outputOption } from "./output.ts";

interface FaultFlags {
  readonly state: string;
  readonly output: "table" | "json";
}

/** `keelson sim faults ...`: what goes wrong in the simulated world on demand. */
export function addSimFaults(sim: Command): void {
  const faults = sim
    .command("faults")
    .description("let things go wrong in the simulated world: list, set and clear faults");
  faults
    .command("list")
    .description("print the faults in force")
    .addOption(stateOption())
    .addOption(outputOption())
    .action((flags: FaultFlags) =>
      withClient(flags, async (client) => {
        print(flags, await client.listFaults());
      }),
    );
  faults
    .command("kinds")
    .description("print the kinds of faults with their parameters")
    .addOption(stateOption())
    .addOption(outputOption())
    .action((flags: FaultFlags) =>
      withClient(flags, async (client) => {
        const kinds = await client.faultKinds();
        process.stdout.write(flags.output === "json" ? `${JSON.stringify(kinds)}\n` : describeKinds(kinds));
      }),
    );
  faults
    .command("set")
    .description("begin a fault; it lasts until it is cleared or the world stops")
    .argument("<kind>", "what goes wrong: see keelson sim faults kinds")
    .argument("[parameters...]", "name=value, for example verb=get percent=50")
    .option("--cluster <name>", "only in this cluster (default: in all)")
    .addOption(stateOption())
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Examples:
  keelson sim faults set api-error resource=pods verb=list code=503 percent=50
  keelson sim faults set api-slow delayMs=2000 --cluster demo
  keelson sim faults set node-not-ready node=demo-x7k2p-worker-eastus1-abcde
  keelson sim faults set operator-degraded operator=dns message="no upstream"`,
    )
    .action(
      (kind: string, texts: readonly string[], flags: FaultFlags & { cluster?: string }, command: Command) =>
        withClient(flags, async (client) => {
          const parameters = Object.fromEntries(texts.map((text) => parameterOf(text, command)));
          const cluster = flags.cluster === undefined ? {} : { cluster: flags.cluster };
          print(flags, [await client.setFault({ kind, parameters, ...cluster })]);
        }),
    );
  faults
    .command("clear")
    .description("end faults")
    .argument("[ids...]", "IDs as list prints them")
    .option("--all", "end all of them")
    .addOption(stateOption())
    .addOption(outputOption())
    .action((ids: readonly string[], flags: FaultFlags & { all?: boolean }, command: Command) => {
      if (flags.all === true ? ids.length > 0 : ids.length === 0)
        command.error("error: name the faults to clear, or say --all");
      return withClient(flags, async (client) => {
        const cleared: Fault[] = [];
        if (flags.all === true) cleared.push(...(await client.clearFaults()));
        for (const id of ids) cleared.push(...(await client.clearFaults(id)));
        print(flags, cleared);
      });
    });
}

async function withClient(flags: FaultFlags, use: (client: SimClient) => Promise<void>): Promise<void> {
  const endpoints = readEndpoints(flags.state);
  await using client = new SimClient(endpoints, readIdentity(flags.state).adminToken);
  await use(client);
}

function parameterOf(text: string, command: Command): readonly [string, string] {
  const equals = text.indexOf("=");
  if (equals <= 0) command.error(`error: expected name=value, not "${text}"`);
  return [text.slice(0, equals), text.slice(equals + 1)];
}

function print({ output }: FaultFlags, faults: readonly Fault[]): void {
  if (output === "json") {
    process.stdout.write(`${JSON.stringify(faults)}\n`);
    return;
  }
  const rows = faults.map(({ id, kind, cluster = "*", parameters }) => [
    id,
    kind,
    cluster,
    Object.entries(parameters)
      .map(([name, value]) => `${name}=${value}`)
      .join(" "),
  ]);
  const table = [["ID", "KIND", "CLUSTER", "PARAMETERS"], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  process.stdout.write(`${table.map(line).join("\n")}\n`);
}

function describeKinds(kinds: FaultKinds): string {
  const lines = Object.entries(kinds).flatMap(([kind, { description, parameters }]) => [
    `${kind}: ${description}`,
    ...Object.entries(parameters).map(
      ([name, facts]) => `    ${name}${facts.required ? " (required)" : ""}: ${facts.description}`,
    ),
  ]);
  return `${lines.join("\n")}\n`;
}
