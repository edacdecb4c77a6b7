import type { Command } from "commander";
import { addNodeOptions } from "../../options/node-options.ts";
import { runOnNode } from "./run-on-node.ts";

export function addCertSyncer(root: Command): Command {
  const command = root
    .command("cert-syncer")
    .description("copy the API server's certificates from the cluster to this node's disk")
    .requiredOption("--destination-dir <dir>", "directory of the certificates")
    .option("-n, --namespace <name>", "namespace of the Secrets and ConfigMaps", "openshift-kube-apiserver")
    .option("--tls-server-name-override <name>", "host name to verify in the API server's certificate");
  return addNodeOptions(command).action(
    runOnNode(async () => (await import("../../operators/kube-apiserver/cert-syncer.ts")).runCertSyncer),
  );
}
