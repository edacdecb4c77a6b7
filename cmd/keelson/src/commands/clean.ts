import process from "node:process";
import type { Command } from "commander";
import { stopSignal } from "../stop-signals.ts";
import { stateOption } from "./options.ts";
import { outputOption } from "./output.ts";

export interface CleanFlags {
  readonly state: string;
  /** False for `--no-dry-run`. */
  readonly dryRun: boolean;
  readonly output: "table" | "json";
}

export function addClean(root: Command): Command {
  return root
    .command("clean")
    .description("delete resource groups that tests left behind; without --no-dry-run it only says which")
    .option("--dry-run", "change nothing", true)
    .option("--no-dry-run", "delete them")
    .addOption(stateOption())
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Deletes groups whose tag createdAt is older than AZURE_PURGE_TTL (48h0m0s): not those with a tag persist, without
createdAt, or on the deny list, and with AZURE_PURGE_RESOURCEGROUP_PREFIXES only those whose names start with one of its
prefixes. AZURE_PURGE_CREATED_TAG names another tag than createdAt.

Azure is that of AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET where these are set, else the
simulated one of the state directory.`,
    )
    .action(async (flags: CleanFlags) => {
      const { runClean } = await import("../run-clean.ts");
      await runClean(
        flags,
        process.env,
        stopSignal(() => undefined),
      );
    });
}
