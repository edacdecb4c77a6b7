import type { Command } from "commander";
import { addNodeOptions } from "../../options/node-options.ts";
import { runOnNode } from "./run-on-node.ts";

export function addCheckEndpoints(root: Command): Command {
  const command = root
    .command("check-endpoints")
    .description(
      "test the connections that PodNetworkConnectivityChecks define for this pod, and write the results to the status of these resources. The environment variable POD_NAME is required",
    )
    .option("--config <file>", "ignored; accepted for compatibility")
    .option("--listen <address>", "HTTPS address and port of /healthz", "0.0.0.0:17697")
    .option("--namespace <name>", "namespace of the PodNetworkConnectivityChecks", "openshift-kube-apiserver")
    .option("--v <level>", "ignored; accepted for compatibility");
  return addNodeOptions(command)
    .addHelpText(
      "after",
      "\nExample:\n  keelson kube-apiserver-operator check-endpoints --listen 0.0.0.0:17697",
    )
    .action(
      runOnNode(
        async () => (await import("../../operators/kube-apiserver/check-endpoints.ts")).runCheckEndpoints,
      ),
    );
}
