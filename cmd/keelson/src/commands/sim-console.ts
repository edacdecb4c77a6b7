import process from "node:process";
import type { Command } from "commander";
import { stateOption } from "../options/options.ts";
import { outputOption } from "../options/output-option.ts";
import { newConsoleLink } from "../sim-client/console-link.ts";
import { readEndpoints } from "../state/endpoints.ts";
import { readIdentity } from "../state/identity.ts";

interface ConsoleFlags {
  readonly state: string;
  readonly output: "table" | "json";
}

/** `keelson sim console`: prints a new one-time link to the console. */
export function addSimConsole(sim: Command): void {
  sim
    .command("console")
    .description(
      'print a sign-in link to the web console of a running "keelson up". The link is valid for 15 minutes and one sign-in',
    )
    .addOption(stateOption())
    .addOption(outputOption())
    .addHelpText("after", "\nExample:\n  keelson sim console --state /tmp/try")
    .action(async ({ state, output }: ConsoleFlags) => {
      const link = await newConsoleLink(readEndpoints(state), readIdentity(state).adminToken);
      process.stdout.write(output === "json" ? `${JSON.stringify(link)}\n` : `${link.url}\n`);
    });
}
