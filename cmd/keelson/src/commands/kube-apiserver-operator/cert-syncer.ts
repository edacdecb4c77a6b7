import { createLogger } from "@keelson/base";
import type { Command } from "commander";
import { programEnvironment } from "../../program-environment.ts";
import { stopSignal } from "../../stop-signals.ts";
import { addNodeOptions, type NodeFlags } from "./node-options.ts";

export interface CertSyncerFlags extends NodeFlags {
  readonly destinationDir: string;
  readonly namespace: string;
  readonly tlsServerNameOverride?: string;
}

export function addCertSyncer(root: Command): Command {
  const command = root
    .command("cert-syncer")
    .description("keep the API server's certificates on this node's disk as the cluster has them")
    .requiredOption("--destination-dir <dir>", "where they are")
    .option("-n, --namespace <name>", "where they come from", "openshift-kube-apiserver")
    .option("--tls-server-name-override <name>", "what the API server's certificate must name");
  return addNodeOptions(command).action(async (flags: CertSyncerFlags) => {
    const { runCertSyncer } = await import("../../run-cert-syncer.ts");
    const logger = createLogger({ level: flags.logLevel });
    const signal = stopSignal(() => logger.info("stopping"));
    await runCertSyncer(flags, { environment: programEnvironment(), logger, signal });
  });
}
