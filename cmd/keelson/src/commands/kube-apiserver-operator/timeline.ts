import process from "node:process";
import { type Command, InvalidArgumentError } from "commander";
import type { TimelineFlags } from "../../operators/kube-apiserver/timeline.ts";
import { addClusterAccess } from "../../options/cluster-access-options.ts";
import { outputOption } from "../../options/output-option.ts";

const maxRevisions = 100;

export function addTimeline(root: Command): Command {
  return addClusterAccess(
    root
      .command("timeline")
      .description("print the steps and times of API server revision rollouts; read-only"),
    "kubeconfig file of the cluster",
  )
    .option(
      "--svg [file]",
      "write an SVG image to [file] instead of printing a table. Without [file], print the SVG image",
    )
    .option("--last <n>", "number of newest revisions to print, 1 to 100", parseCount, 5)
    .addOption(outputOption().conflicts("svg"))
    .addHelpText(
      "after",
      "\nExample:\n  keelson kube-apiserver-operator timeline --kubeconfig demo.kubeconfig --last 3",
    )
    .action(async (flags: TimelineFlags) => {
      const { runTimeline } = await import("../../operators/kube-apiserver/timeline.ts");
      process.stdout.write(await runTimeline(flags, process.env));
    });
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > maxRevisions)
    throw new InvalidArgumentError(`expected a number from 1 to ${maxRevisions}.`);
  return count;
}
