import process from "node:process";
import { type Command, Option } from "commander";
import type { DiffFlags } from "../../operators/kube-apiserver/revision-diff.ts";
import { addClusterAccess } from "../../options/cluster-access-options.ts";
import { outputOption } from "../../options/output-option.ts";

export function addDiff(root: Command): Command {
  return addClusterAccess(
    root
      .command("diff")
      .description(
        "print the changes in the next API server revision and the cause of each change; read-only",
      ),
    "kubeconfig file of the cluster",
  )
    .addOption(
      new Option(
        "-f, --filename <file>",
        "print the changes as if this manifest were applied to the cluster; repeatable",
      )
        .default([], "none")
        .argParser((text: string, before: readonly string[]) => [...before, text]),
    )
    .addOption(outputOption())
    .addHelpText("after", "\nThe exit code is 0 even if the next revision has changes.")
    .addHelpText(
      "after",
      "\nExample:\n  keelson kube-apiserver-operator diff --kubeconfig demo.kubeconfig -f apiserver.yaml",
    )
    .action(async (flags: DiffFlags) => {
      const { runRevisionDiff } = await import("../../operators/kube-apiserver/revision-diff.ts");
      process.stdout.write(await runRevisionDiff(flags, process.env));
    });
}
