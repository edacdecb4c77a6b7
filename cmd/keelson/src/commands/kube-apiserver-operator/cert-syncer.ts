import type { Command } from "commander";
import { addNodeOptions } from "../../options/node-options.ts";
import { runOnNode } from "./run-on-node.ts";

export function addCertSyncer(root: Command): Command {
  const command = root
    .command("cert-syncer")
    .description("copy the API server's certificates from Secrets and ConfigMaps to this node's disk")
    .requiredOption("--destination-dir <dir>", "output directory (required)")
    .option("-n, --namespace <name>", "namespace of the Secrets and ConfigMaps", "openshift-kube-apiserver")
    .option(
      "--tls-server-name-override <name>",
      "host name that the API server's certificate must contain (default: host of the API server URL)",
    );
  return addNodeOptions(command)
    .addHelpText(
      "after",
      "\nExample:\n  keelson kube-apiserver-operator cert-syncer --destination-dir /etc/kubernetes/certs",
    )
    .action(
      runOnNode(async () => (await import("../../operators/kube-apiserver/cert-syncer.ts")).runCertSyncer),
    );
}
