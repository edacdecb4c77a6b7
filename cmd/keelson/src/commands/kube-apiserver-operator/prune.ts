import { createLogger } from "@keelson/base";
import type { PruneOptions } from "@keelson/operator-kit";
import type { Command } from "commander";
import { addNodeOptions, type NodeFlags, parseRevision, parseRevisions } from "../../options/node-options.ts";
import { programEnvironment } from "../../process/program-environment.ts";

export function addPrune(root: Command): Command {
  const command = root
    .command("prune")
    .description("delete old revisions of a static pod from this node's disk")
    .requiredOption("--max-eligible-revision <n>", "newest revision that may be deleted", parseRevision)
    .option("--protected-revisions <list>", "revisions to keep, separated by commas", parseRevisions, [])
    .requiredOption("--resource-dir <dir>", "directory of the revisions' files")
    .requiredOption("--static-pod-name <name>", "name of the static pod, without the revision");
  return addNodeOptions(command).action(async (flags: PruneOptions & NodeFlags) => {
    const { runPrune } = await import("../../operators/kube-apiserver/static-pod-node.ts");
    await runPrune(flags, programEnvironment(), createLogger({ level: flags.logLevel }));
  });
}
