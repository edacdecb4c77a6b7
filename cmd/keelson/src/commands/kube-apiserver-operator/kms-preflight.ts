import type { Command } from "commander";
import { parseGoDuration } from "../../options/go-duration.ts";
import { addSockets, parseConfigHash } from "../../options/kms-options.ts";
import { addNodeOptions } from "../../options/node-options.ts";
import { runOnNode } from "./run-on-node.ts";

export function addKmsPreflight(root: Command): Command {
  const command = addSockets(
    root
      .command("kms-preflight")
      .description(
        "test that a key management service encrypts and decrypts, and that additional plugin sockets respond",
      )
      .requiredOption("--kms-call-timeout <duration>", "time limit of each plugin call", parseGoDuration)
      .requiredOption("--config-hash <hash>", "hash of the tested configuration", parseConfigHash)
      .requiredOption("--pod-name <name>", "name of the pod that gets the result in its status")
      .requiredOption("--pod-namespace <name>", "namespace of that pod"),
  );
  return addNodeOptions(command).action(
    runOnNode(async () => (await import("../../operators/kube-apiserver/kms.ts")).runKmsPreflight),
  );
}
