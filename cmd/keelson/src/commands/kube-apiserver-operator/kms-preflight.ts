import type { Command } from "commander";
import { parsePositiveDuration } from "../../options/go-duration.ts";
import { addSockets, parseConfigHash } from "../../options/kms-options.ts";
import { addNodeOptions } from "../../options/node-options.ts";
import { runOnNode } from "./run-on-node.ts";

export function addKmsPreflight(root: Command): Command {
  const command = addSockets(
    root
      .command("kms-preflight")
      .description(
        "test that the first KMS plugin in --kms-sockets encrypts and decrypts, and that all other plugins respond",
      )
      .requiredOption(
        "--kms-call-timeout <duration>",
        "time limit of each plugin call, for example 10s (required)",
        parsePositiveDuration,
      )
      .requiredOption(
        "--config-hash <hash>",
        "hash of the encryption configuration that the command tests, 8 base64url characters (required)",
        parseConfigHash,
      )
      .requiredOption(
        "--pod-name <name>",
        "name of the pod that gets the test result in its status (required)",
      )
      .requiredOption("--pod-namespace <name>", "namespace of the pod in --pod-name (required)"),
  );
  return addNodeOptions(command)
    .addHelpText(
      "after",
      "\nExample:\n  keelson kube-apiserver-operator kms-preflight --kms-call-timeout 10s --config-hash AbCdEf12 \\\n    --pod-name preflight --pod-namespace openshift-kube-apiserver --kms-sockets unix:///var/run/kmsplugin/kms-1.sock",
    )
    .action(runOnNode(async () => (await import("../../operators/kube-apiserver/kms.ts")).runKmsPreflight));
}
