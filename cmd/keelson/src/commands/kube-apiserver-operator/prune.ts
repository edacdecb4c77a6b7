import { createLogger } from "@keelson/base";
import type { PruneOptions } from "@keelson/operator-kit";
import { type Command, Option } from "commander";
import { addNodeOptions, type NodeFlags, parseRevision, parseRevisions } from "../../options/node-options.ts";
import { programEnvironment } from "../../process/program-environment.ts";

export function addPrune(root: Command): Command {
  const command = root
    .command("prune")
    .description("delete the files of old static pod revisions from this node")
    .requiredOption(
      "--max-eligible-revision <n>",
      "newest revision that may be deleted (required)",
      parseRevision,
    )
    .addOption(
      new Option("--protected-revisions <list>", "comma-separated revisions that are not deleted")
        .argParser(parseRevisions)
        .default([], "none"),
    )
    .requiredOption("--resource-dir <dir>", "directory that contains the files of all revisions (required)")
    .requiredOption(
      "--static-pod-name <name>",
      "name of the static pod, without the revision suffix (required)",
    );
  return addNodeOptions(command)
    .addHelpText(
      "after",
      "\nExample:\n  keelson kube-apiserver-operator prune --max-eligible-revision 5 --protected-revisions 3,5 \\\n    --resource-dir /etc/kubernetes/static-pod-resources --static-pod-name kube-apiserver-pod",
    )
    .action(async (flags: PruneOptions & NodeFlags) => {
      const { runPrune } = await import("../../operators/kube-apiserver/static-pod-node.ts");
      await runPrune(flags, programEnvironment(), createLogger({ level: flags.logLevel }));
    });
}
