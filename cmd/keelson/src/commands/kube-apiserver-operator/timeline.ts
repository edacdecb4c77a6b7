import process from "node:process";
import { type Command, InvalidArgumentError, Option } from "commander";
import { outputOption } from "../output.ts";

export interface TimelineFlags {
  readonly kubeconfig?: string;
  readonly server?: string;
  readonly serviceAccount: string;
  /** `true` for stdout. */
  readonly svg?: string | true;
  readonly last: number;
  readonly output: "table" | "json";
}

const maxRevisions = 100;

export function addTimeline(root: Command): Command {
  return root
    .command("timeline")
    .description("how revisions of the API servers were rolled out, step by step; reads only")
    .addOption(new Option("--kubeconfig <file>", "of the cluster").env("KUBECONFIG").conflicts("server"))
    .option("--server <url>", "the API server (default: that of the pod that this runs in)")
    .option(
      "--service-account <dir>",
      "folder with token and ca.crt of the service account",
      "/var/run/secrets/kubernetes.io/serviceaccount",
    )
    .option("--svg [file]", "as a picture, in the file or on stdout")
    .option("--last <n>", "how many revisions, newest first", parseCount, 5)
    .addOption(outputOption().conflicts("svg"))
    .action(async (flags: TimelineFlags) => {
      const { runTimeline } = await import("../../run-timeline.ts");
      process.stdout.write(await runTimeline(flags, process.env));
    });
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > maxRevisions)
    throw new InvalidArgumentError(`expected a number from 1 to ${maxRevisions}.`);
  return count;
}
