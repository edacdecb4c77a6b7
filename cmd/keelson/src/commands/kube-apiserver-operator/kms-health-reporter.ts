import { type Command, Option } from "commander";
import { parsePositiveDuration } from "../../options/go-duration.ts";
import { addSockets } from "../../options/kms-options.ts";
import { addNodeOptions } from "../../options/node-options.ts";
import { runOnNode } from "./run-on-node.ts";

export function addKmsHealthReporter(root: Command): Command {
  const command = addSockets(
    root
      .command("kms-health-reporter")
      .alias("kms-health")
      .description(
        "write the health of this node's KMS plugins to status.encryptionStatus of the KubeAPIServer",
      )
      .addOption(durationOption("interval", "interval between reports", "30s"))
      .addOption(durationOption("read-timeout", "time limit of a plugin call", "5s"))
      .addOption(durationOption("write-timeout", "time limit of a write to the cluster's API", "10s"))
      .requiredOption("--node-name <name>", "name of this node (required)"),
  );
  return addNodeOptions(command)
    .addHelpText(
      "after",
      "\nExample:\n  keelson kube-apiserver-operator kms-health-reporter --node-name master-0 \\\n    --kms-sockets unix:///var/run/kmsplugin/kms-1.sock",
    )
    .action(
      runOnNode(async () => (await import("../../operators/kube-apiserver/kms.ts")).runKmsHealthReporter),
    );
}

function durationOption(name: string, purpose: string, initial: string): Option {
  return new Option(`--${name} <duration>`, purpose)
    .argParser(parsePositiveDuration)
    .default(parsePositiveDuration(initial), initial);
}
