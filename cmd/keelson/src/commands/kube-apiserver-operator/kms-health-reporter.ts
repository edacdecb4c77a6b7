import { createLogger } from "@keelson/base";
import type { Command } from "commander";
import { programEnvironment } from "../../program-environment.ts";
import { stopSignal } from "../../stop-signals.ts";
import { parseGoDuration } from "../go-duration.ts";
import { addSockets } from "./kms-options.ts";
import { addNodeOptions, type NodeFlags } from "./node-options.ts";

export interface KmsHealthFlags extends NodeFlags {
  readonly kmsSockets: readonly string[];
  readonly interval: number;
  readonly readTimeout: number;
  readonly writeTimeout: number;
  readonly nodeName: string;
}

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
    const { runKmsHealthReporter } = await import("../../run-kms.ts");
    const logger = createLogger({ level: flags.logLevel });
    const signal = stopSignal(() => logger.info("stopping"));
    await runKmsHealthReporter(flags, { environment: programEnvironment(), logger, signal });
  });
}
