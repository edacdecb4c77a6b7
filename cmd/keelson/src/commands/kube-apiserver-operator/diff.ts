import process from "node:process";
import { type Command, Option } from "commander";
import { addClusterAccess, type ClusterAccessFlags } from "../cluster-access-options.ts";
import { outputOption } from "../output.ts";

export interface DiffFlags extends ClusterAccessFlags {
  readonly filename: readonly string[];
  readonly output: "table" | "json";
}

export function addDiff(root: Command): Command {
  return addClusterAccess(
    root
      .command("diff")
      .description("what the next revision of the API servers would change and why; writes nothing"),
    "of the cluster",
  )
    .addOption(
      new Option("-f, --filename <file>", "objects as if they were applied; may be repeated")
        .default([])
        .argParser((text: string, before: readonly string[]) => [...before, text]),
    )
    .addOption(outputOption())
    .addHelpText("after", "\nExits with 0 when no revision follows, and when one does.")
    .action(async (flags: DiffFlags) => {
      const { runRevisionDiff } = await import("../../run-revision-diff.ts");
      process.stdout.write(await runRevisionDiff(flags, process.env));
    });
}
