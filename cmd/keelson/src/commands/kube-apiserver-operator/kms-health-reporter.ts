import { createLogger } from "@keelson/base";
import type { Command } from "commander";
import type { KmsHealthFlags } from "../../operators/kube-apiserver/kms.ts";
import { parseGoDuration } from "../../options/go-duration.ts";
import { addSockets } from "../../options/kms-options.ts";
import { addNodeOptions } from "../../options/node-options.ts";
import { programEnvironment } from "../../process/program-environment.ts";
import { stopSignal } from "../../process/stop-signals.ts";

const intervalMs = 30_000;
const readTimeoutMs = 5_000;
const writeTimeoutMs = 10_000;

export function addKmsHealthReporter(root: Command): Command {
  const command = addSockets(
    root
      .command("kms-health-reporter")
      .alias("kms-health")
      .description("say in status.encryptionStatus how the plugins of key management services on a node are")
      .option("--interval <duration>", "from one time to the next", parseGoDuration, intervalMs)
      .option("--read-timeout <duration>", "for a plugin's answer", parseGoDuration, readTimeoutMs)
      .option("--write-timeout <duration>", "for the cluster's API", parseGoDuration, writeTimeoutMs)
      .requiredOption("--node-name <name>", "of this node: unique among all that report"),
  );
  return addNodeOptions(command).action(async (flags: KmsHealthFlags) => {
    const { runKmsHealthReporter } = await import("../../operators/kube-apiserver/kms.ts");
    const logger = createLogger({ level: flags.logLevel });
    const signal = stopSignal(() => logger.info("stopping"));
    await runKmsHealthReporter(flags, { environment: programEnvironment(), logger, signal });
  });
}
