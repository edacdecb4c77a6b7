import type { Command } from "commander";
import { addNodeOptions } from "../../options/node-options.ts";
import { runOnNode } from "./run-on-node.ts";

export function addCheckEndpoints(root: Command): Command {
  const command = root
    .command("check-endpoints")
    .description("test the connections of this pod's PodNetworkConnectivityChecks and record the results")
    .option("--config <file>", "ignored; accepted for compatibility")
    .option("--listen <address>", "address and port of /healthz, over HTTPS", "0.0.0.0:17697")
    .option("--namespace <name>", "namespace of the checks", "openshift-kube-apiserver")
    .option("--v <level>", "ignored; accepted for compatibility");
  return addNodeOptions(command).action(
    runOnNode(
      async () => (await import("../../operators/kube-apiserver/check-endpoints.ts")).runCheckEndpoints,
    ),
  );
}
