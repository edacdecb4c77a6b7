import process from "node:process";
import { type Command, InvalidArgumentError } from "commander";
import { stateOption } from "../options/options.ts";
import { outputOption } from "../options/output-option.ts";
import { type AzureTime, SimAzureClient } from "../sim-client/sim-azure-client.ts";
import { readEndpoints } from "../state/endpoints.ts";
import { readIdentity } from "../state/identity.ts";

interface ClockFlags {
  readonly state: string;
  readonly output: "table" | "json";
  readonly advance?: number;
  readonly reset?: boolean;
}

/**
 * `keelson sim clock`: shows or moves the clock of the simulated Azure. Secrets, tokens and certificates expire by this clock.
 */
export function addSimClock(sim: Command): void {
  sim
    .command("clock")
    .description("print or change the time of the simulated Azure")
    .option(
      "--advance <duration>",
      "advance the clock by this duration, for example 90d, 12h or 1d6h30m",
      parseDurationMs,
    )
    .option("--reset", "set the clock to the system time")
    .addOption(stateOption())
    .addOption(outputOption())
    .addHelpText(
      "after",
      "\nA restart of the simulated world does not reset the clock. The service and the simulated clusters always use the system time.",
    )
    .addHelpText(
      "after",
      "\nExamples:\n  keelson sim clock\n  keelson sim clock --advance 90d\n  keelson sim clock --reset",
    )
    .action(async (flags: ClockFlags, command: Command) => {
      if (flags.reset && flags.advance !== undefined)
        command.error("error: use either --advance or --reset, not both");
      const endpoints = readEndpoints(flags.state);
      await using client = new SimAzureClient(endpoints, readIdentity(flags.state).adminToken);
      print(flags, await timeAfter(client, flags));
    });
}

function timeAfter(client: SimAzureClient, { advance, reset }: ClockFlags): Promise<AzureTime> {
  if (reset) return client.resetClock();
  return advance === undefined ? client.time() : client.advanceClock(advance);
}

function print({ output }: ClockFlags, time: AzureTime): void {
  const ahead = time.aheadMs === 0 ? "" : ` (${time.aheadMs / 1000} s ahead)`;
  process.stdout.write(output === "json" ? `${JSON.stringify(time)}\n` : `${time.now}${ahead}\n`);
}

const unitsMs = [86_400_000, 3_600_000, 60_000, 1_000];

/** Parses a duration such as `1d6h30m5s` or `30m`. Returns milliseconds. */
export function parseDurationMs(text: string): number {
  const parts = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text)?.slice(1);
  const ms = unitsMs.reduce((sum, unit, index) => sum + unit * Number(parts?.[index] ?? 0), 0);
  if (ms > 0) return ms;
  throw new InvalidArgumentError("expected days, hours, minutes and seconds, for example 90d or 1h30m.");
}
