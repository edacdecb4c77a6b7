import { createLogger } from "@keelson/base";
import type { Command } from "commander";
import type { CertSyncerFlags } from "../../operators/kube-apiserver/cert-syncer.ts";
import { addNodeOptions } from "../../options/node-options.ts";
import { programEnvironment } from "../../process/program-environment.ts";
import { stopSignal } from "../../process/stop-signals.ts";

export function addCertSyncer(root: Command): Command {
  const command = root
    .command("cert-syncer")
    .description("keep the API server's certificates on this node's disk as the cluster has them")
    .requiredOption("--destination-dir <dir>", "where they are")
    .option("-n, --namespace <name>", "where they come from", "openshift-kube-apiserver")
    .option("--tls-server-name-override <name>", "what the API server's certificate must name");
  return addNodeOptions(command).action(async (flags: CertSyncerFlags) => {
    const { runCertSyncer } = await import("../../operators/kube-apiserver/cert-syncer.ts");
    const logger = createLogger({ level: flags.logLevel });
    const signal = stopSignal(() => logger.info("stopping"));
    await runCertSyncer(flags, { environment: programEnvironment(), logger, signal });
  });
}
