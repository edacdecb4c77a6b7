import process from "node:process";
import type { Command } from "commander";
import { stateOption } from "../options/options.ts";
import { outputOption } from "../options/output-option.ts";
import { tableOf } from "../output/table.ts";
import type { FaultKinds } from "../sim-client/sim-client.ts";
import { SimulatedFaults, type WorldFault } from "../sim-client/simulated-faults.ts";
import { readEndpoints } from "../state/endpoints.ts";
import { readIdentity } from "../state/identity.ts";

interface FaultFlags {
  readonly state: string;
  readonly output: "table" | "json";
}

/** `keelson sim faults ...`: injects faults into the simulated world. */
export function addSimFaults(sim: Command): void {
  const faults = sim.command("faults").description("list, inject and clear faults in the simulated world");
  faults
    .command("list")
    .description("print active faults")
    .addOption(stateOption())
    .addOption(outputOption())
    .addHelpText("after", "\nExample:\n  keelson sim faults list -o json")
    .action((flags: FaultFlags) =>
      withFaults(flags, async (world) => {
        print(flags, await world.list());
      }),
    );
  faults
    .command("kinds")
    .description("print all fault kinds with their parameters")
    .addOption(stateOption())
    .addOption(outputOption())
    .addHelpText("after", "\nExample:\n  keelson sim faults kinds")
    .action((flags: FaultFlags) =>
      withFaults(flags, async (world) => {
        const kinds = await world.kinds();
        process.stdout.write(flags.output === "json" ? `${JSON.stringify(kinds)}\n` : describeKinds(kinds));
      }),
    );
  faults
    .command("set")
    .description(
      'inject a fault, which stays active until "keelson sim faults clear". ' +
        "A restart of the simulated world also clears cluster faults, but not Azure faults",
    )
    .argument("<kind>", 'kind of the fault, as printed by "keelson sim faults kinds"')
    .argument("[parameters...]", "parameters of this kind as name=value, for example verb=get percent=50")
    .option(
      "--cluster <name>",
      "inject a cluster fault only in this cluster (default: in all clusters). Invalid for Azure faults",
    )
    .addOption(stateOption())
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Examples:
  keelson sim faults set api-error resource=pods verb=list code=503 percent=50
  keelson sim faults set api-slow delayMs=2000 --cluster demo
  keelson sim faults set node-not-ready node=demo-x7k2p-worker-eastus1-abcde
  keelson sim faults set operator-degraded operator=dns message="no upstream"
  keelson sim faults set throttled type=Microsoft.Network/* verb=write percent=10
  keelson sim faults set zonal-allocation-failed count=1`,
    )
    .action(
      (kind: string, texts: readonly string[], flags: FaultFlags & { cluster?: string }, command: Command) =>
        withFaults(flags, async (world) => {
          const parameters = Object.fromEntries(texts.map((text) => parameterOf(text, command)));
          print(flags, [await world.set(kind, parameters, flags.cluster)]);
        }),
    );
  faults
    .command("clear")
    .description("clear faults")
    .argument("[ids...]", 'fault IDs, as printed by "keelson sim faults list"; required without --all')
    .option("--all", "clear all faults")
    .addOption(stateOption())
    .addOption(outputOption())
    .addHelpText(
      "after",
      "\nExamples:\n  keelson sim faults clear 7c1e8f0a\n  keelson sim faults clear --all",
    )
    .action((ids: readonly string[], flags: FaultFlags & { all?: boolean }, command: Command) => {
      if (flags.all === true ? ids.length > 0 : ids.length === 0)
        command.error("error: name the faults to clear, or use --all");
      return withFaults(flags, async (world) => {
        print(flags, flags.all === true ? await world.clearAll() : await world.clear(ids));
      });
    });
}

async function withFaults(flags: FaultFlags, use: (world: SimulatedFaults) => Promise<void>): Promise<void> {
  const endpoints = readEndpoints(flags.state);
  await using world = new SimulatedFaults(endpoints, readIdentity(flags.state).adminToken);
  await use(world);
}

function parameterOf(text: string, command: Command): readonly [string, string] {
  const equals = text.indexOf("=");
  if (equals <= 0) command.error(`error: expected name=value, not "${text}"`);
  return [text.slice(0, equals), text.slice(equals + 1)];
}

function print({ output }: FaultFlags, faults: readonly WorldFault[]): void {
  if (output === "json") {
    process.stdout.write(`${JSON.stringify(faults)}\n`);
    return;
  }
  const rows = faults.map((fault) => {
    const parameters = Object.entries(fault.parameters).map(([name, value]) => `${name}=${value}`);
    const [where, struck] =
      "matched" in fault
        ? ["(azure)", [`(struck ${fault.injected} of ${fault.matched})`]]
        : [fault.cluster ?? "*", []];
    return [fault.id, fault.kind, where, [...parameters, ...struck].join(" ")];
  });
  process.stdout.write(tableOf([["ID", "KIND", "CLUSTER", "PARAMETERS"], ...rows]));
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
