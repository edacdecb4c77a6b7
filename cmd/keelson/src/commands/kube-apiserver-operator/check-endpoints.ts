import type { Command } from "commander";
import { addNodeOptions } from "../../options/node-options.ts";
import { runOnNode } from "./run-on-node.ts";

export function addCheckEndpoints(root: Command): Command {
  const command = root
    .command("check-endpoints")
    .description("try to connect to what the checks of this pod name, and say how it went")
    .option("--config <file>", "accepted, and not read")
    .option("--listen <address>", "address and port of /healthz, over HTTPS", "0.0.0.0:17697")
    .option("--namespace <name>", "of the checks", "openshift-kube-apiserver")
    .option("--v <level>", "verbosity of other programs: changes nothing");
  return addNodeOptions(command).action(
    runOnNode(
      async () => (await import("../../operators/kube-apiserver/check-endpoints.ts")).runCheckEndpoints,
    ),
  );
}
