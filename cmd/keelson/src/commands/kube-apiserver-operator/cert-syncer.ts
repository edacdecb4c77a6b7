import type { Command } from "commander";
import { addNodeOptions } from "../../options/node-options.ts";
import { runOnNode } from "./run-on-node.ts";

export function addCertSyncer(root: Command): Command {
  const command = root
    .command("cert-syncer")
    .description("keep the API server's certificates on this node's disk as the cluster has them")
    .requiredOption("--destination-dir <dir>", "where they are")
    .option("-n, --namespace <name>", "where they come from", "openshift-kube-apiserver")
    .option("--tls-server-name-override <name>", "what the API server's certificate must name");
  return addNodeOptions(command).action(
    runOnNode(async () => (await import("../../operators/kube-apiserver/cert-syncer.ts")).runCertSyncer),
  );
}
