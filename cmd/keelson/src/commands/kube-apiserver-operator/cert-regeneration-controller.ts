import type { Command } from "commander";
import { addNodeOptions } from "../../options/node-options.ts";
import { runOnNode } from "./run-on-node.ts";

export function addCertRegenerationController(root: Command): Command {
  const command = root
    .command("cert-regeneration-controller")
    .description("make certificates again that ended while the cluster was off")
    .option("-n, --namespace <name>", "of its Events", "openshift-kube-apiserver")
    .option("--tls-server-name-override <name>", "what the API server's certificate must name");
  return addNodeOptions(command).action(
    runOnNode(
      async () => (await import("../../operators/kube-apiserver/cert-regeneration.ts")).runCertRegeneration,
    ),
  );
}
