import type { Command } from "commander";
import { addNodeOptions } from "../../options/node-options.ts";
import { runOnNode } from "./run-on-node.ts";

export function addCertRegenerationController(root: Command): Command {
  const command = root
    .command("cert-regeneration-controller")
    .description("regenerate certificates that expired while the cluster was off")
    .option("-n, --namespace <name>", "namespace of its Events", "openshift-kube-apiserver")
    .option("--tls-server-name-override <name>", "host name to verify in the API server's certificate");
  return addNodeOptions(command).action(
    runOnNode(
      async () => (await import("../../operators/kube-apiserver/cert-regeneration.ts")).runCertRegeneration,
    ),
  );
}
