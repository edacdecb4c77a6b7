import { createLogger } from "@keelson/base";
import type { Command } from "commander";
import { programEnvironment } from "../../program-environment.ts";
import { stopSignal } from "../../stop-signals.ts";
import { addNodeOptions, type NodeFlags } from "./node-options.ts";

export interface CertRegenerationFlags extends NodeFlags {
  readonly namespace: string;
  readonly tlsServerNameOverride?: string;
}

export function addCertRegenerationController(root: Command): Command {
  const command = root
    .command("cert-regeneration-controller")
    .description("make certificates again that ended while the cluster was off")
    .option("-n, --namespace <name>", "of its Events", "openshift-kube-apiserver")
    .option("--tls-server-name-override <name>", "what the API server's certificate must name");
  return addNodeOptions(command).action(async (flags: CertRegenerationFlags) => {
    const { runCertRegeneration } = await import("../../run-cert-regeneration.ts");
    const logger = createLogger({ level: flags.logLevel });
    const signal = stopSignal(() => logger.info("stopping"));
    await runCertRegeneration(flags, { environment: programEnvironment(), logger, signal });
  });
}
