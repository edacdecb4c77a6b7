import type { Command } from "commander";
import { addNodeOptions } from "../../options/node-options.ts";
import { runOnNode } from "./run-on-node.ts";

export function addCertRegenerationController(root: Command): Command {
  const command = root
    .command("cert-regeneration-controller")
    .description("regenerate certificates that expired while the cluster was shut down")
    .option("-n, --namespace <name>", "namespace of the controller's Events", "openshift-kube-apiserver")
    .option(
      "--tls-server-name-override <name>",
      "host name that the API server's certificate must contain (default: host of the API server URL)",
    );
  return addNodeOptions(command)
    .addHelpText(
      "after",
      "\nExample:\n  keelson kube-apiserver-operator cert-regeneration-controller --kubeconfig /etc/kubernetes/kubeconfig",
    )
    .action(
      runOnNode(
        async () => (await import("../../operators/kube-apiserver/cert-regeneration.ts")).runCertRegeneration,
      ),
    );
}
