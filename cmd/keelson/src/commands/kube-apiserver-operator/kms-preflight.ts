import type { Command } from "commander";
import { parseGoDuration } from "../../options/go-duration.ts";
import { addSockets, parseConfigHash } from "../../options/kms-options.ts";
import { addNodeOptions } from "../../options/node-options.ts";
import { runOnNode } from "./run-on-node.ts";

export function addKmsPreflight(root: Command): Command {
  const command = addSockets(
    root
      .command("kms-preflight")
      .description("test that the first KMS plugin encrypts and decrypts, and that all other plugins respond")
      .requiredOption(
        "--kms-call-timeout <duration>",
        "time limit of each plugin call, for example 10s",
        parseGoDuration,
      )
      .requiredOption(
        "--config-hash <hash>",
        "hash of the tested encryption configuration, 8 characters of base64url",
        parseConfigHash,
      )
      .requiredOption("--pod-name <name>", "name of the pod that gets the test result in its status")
      .requiredOption("--pod-namespace <name>", "namespace of that pod"),
  );
  return addNodeOptions(command)
    .addHelpText(
      "after",
      "\nExample:\n  keelson kube-apiserver-operator kms-preflight --kms-call-timeout 10s --config-hash AbCdEf12 \\\n    --pod-name preflight --pod-namespace openshift-kube-apiserver --kms-sockets unix:///var/run/kmsplugin/kms-1.sock",
    )
    .action(runOnNode(async () => (await import("../../operators/kube-apiserver/kms.ts")).runKmsPreflight));
}
