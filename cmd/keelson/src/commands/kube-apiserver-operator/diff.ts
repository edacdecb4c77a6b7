import process from "node:process";
import { type Command, Option } from "commander";
import type { DiffFlags } from "../../operators/kube-apiserver/revision-diff.ts";
import { addClusterAccess } from "../../options/cluster-access-options.ts";
import { outputOption } from "../../options/output-option.ts";

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
      const { runRevisionDiff } = await import("../../operators/kube-apiserver/revision-diff.ts");
      process.stdout.write(await runRevisionDiff(flags, process.env));
    });
}
