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
        "try whether a key management service encrypts and decrypts; of further sockets, whether they answer",
      )
      .requiredOption("--kms-call-timeout <duration>", "for each call of a plugin", parseGoDuration)
      .requiredOption("--config-hash <hash>", "names the configuration that is tried", parseConfigHash)
      .requiredOption("--pod-name <name>", "the pod that says in its status what came of it")
      .requiredOption("--pod-namespace <name>", "of that pod"),
  );
  return addNodeOptions(command).action(
    runOnNode(async () => (await import("../../operators/kube-apiserver/kms.ts")).runKmsPreflight),
  );
}
