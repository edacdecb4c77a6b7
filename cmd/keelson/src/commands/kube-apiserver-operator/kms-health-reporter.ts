import type { Command } from "commander";
import { parseGoDuration } from "../../options/go-duration.ts";
import { addSockets } from "../../options/kms-options.ts";
import { addNodeOptions } from "../../options/node-options.ts";
import { runOnNode } from "./run-on-node.ts";

const intervalMs = 30_000;
const readTimeoutMs = 5_000;
const writeTimeoutMs = 10_000;

export function addKmsHealthReporter(root: Command): Command {
  const command = addSockets(
    root
      .command("kms-health-reporter")
      .alias("kms-health")
      .description("say in status.encryptionStatus how the plugins of key management services on a node are")
      .option("--interval <duration>", "from one time to the next", parseGoDuration, intervalMs)
      .option("--read-timeout <duration>", "for a plugin's answer", parseGoDuration, readTimeoutMs)
      .option("--write-timeout <duration>", "for the cluster's API", parseGoDuration, writeTimeoutMs)
      .requiredOption("--node-name <name>", "of this node: unique among all that report"),
  );
  return addNodeOptions(command).action(
    runOnNode(async () => (await import("../../operators/kube-apiserver/kms.ts")).runKmsHealthReporter),
  );
}
