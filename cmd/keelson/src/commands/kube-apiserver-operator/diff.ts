import process from "node:process";
import { type Command, Option } from "commander";
import { outputOption } from "../output.ts";

export interface DiffFlags {
  readonly kubeconfig?: string;
  readonly server?: string;
  readonly serviceAccount: string;
  readonly filename: readonly string[];
  readonly output: "table" | "json";
}

export function addDiff(root: Command): Command {
  return root
    .command("diff")
    .description("what the next revision of the API servers would change and why; writes nothing")
    .addOption(new Option("--kubeconfig <file>", "of the cluster").env("KUBECONFIG").conflicts("server"))
    .option("--server <url>", "the API server (default: that of the pod that this runs in)")
    .option(
      "--service-account <dir>",
      "folder with token and ca.crt of the service account",
      "/var/run/secrets/kubernetes.io/serviceaccount",
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
