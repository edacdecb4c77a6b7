import { createLogger } from "@keelson/base";
import type { Command } from "commander";
import type { CertRegenerationFlags } from "../../operators/kube-apiserver/cert-regeneration.ts";
import { addNodeOptions } from "../../options/node-options.ts";
import { programEnvironment } from "../../process/program-environment.ts";
import { stopSignal } from "../../process/stop-signals.ts";

export function addCertRegenerationController(root: Command): Command {
  const command = root
    .command("cert-regeneration-controller")
    .description("make certificates again that ended while the cluster was off")
    .option("-n, --namespace <name>", "of its Events", "openshift-kube-apiserver")
    .option("--tls-server-name-override <name>", "what the API server's certificate must name");
  return addNodeOptions(command).action(async (flags: CertRegenerationFlags) => {
    const { runCertRegeneration } = await import("../../operators/kube-apiserver/cert-regeneration.ts");
    const logger = createLogger({ level: flags.logLevel });
    const signal = stopSignal(() => logger.info("stopping"));
    await runCertRegeneration(flags, { environment: programEnvironment(), logger, signal });
  });
}
