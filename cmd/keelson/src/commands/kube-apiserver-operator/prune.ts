import { createLogger } from "@keelson/base";
import type { PruneOptions } from "@keelson/operator-kit";
import type { Command } from "commander";
import { addNodeOptions, type NodeFlags, parseRevision, parseRevisions } from "../../options/node-options.ts";
import { programEnvironment } from "../../process/program-environment.ts";

export function addPrune(root: Command): Command {
  const command = root
    .command("prune")
    .description("take old revisions of a static pod off the disk of this node")
    .requiredOption("--max-eligible-revision <n>", "newer ones stay", parseRevision)
    .option("--protected-revisions <list>", "these stay", parseRevisions, [])
    .requiredOption("--resource-dir <dir>", "where the files of revisions are")
    .requiredOption("--static-pod-name <name>", "of the folders, without the revision");
  return addNodeOptions(command).action(async (flags: PruneOptions & NodeFlags) => {
    const { runPrune } = await import("../../operators/kube-apiserver/static-pod-node.ts");
    await runPrune(flags, programEnvironment(), createLogger({ level: flags.logLevel }));
  });
}
