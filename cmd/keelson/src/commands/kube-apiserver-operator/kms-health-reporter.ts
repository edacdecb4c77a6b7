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
      .description("report the health of a node's KMS plugins in status.encryptionStatus")
      .option("--interval <duration>", "interval between reports", parseGoDuration, intervalMs)
      .option("--read-timeout <duration>", "time limit of a plugin call", parseGoDuration, readTimeoutMs)
      .option(
        "--write-timeout <duration>",
        "time limit of a write to the cluster's API",
        parseGoDuration,
        writeTimeoutMs,
      )
      .requiredOption("--node-name <name>", "name of this node, unique among all reporters"),
  );
  return addNodeOptions(command).action(
    runOnNode(async () => (await import("../../operators/kube-apiserver/kms.ts")).runKmsHealthReporter),
  );
}
