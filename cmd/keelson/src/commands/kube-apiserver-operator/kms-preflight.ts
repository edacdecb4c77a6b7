import { createLogger } from "@keelson/base";
import type { Command } from "commander";
import { programEnvironment } from "../../program-environment.ts";
import { stopSignal } from "../../stop-signals.ts";
import { parseGoDuration } from "../go-duration.ts";
import { addSockets, parseConfigHash } from "./kms-options.ts";
import { addNodeOptions, type NodeFlags } from "./node-options.ts";

export interface KmsPreflightFlags extends NodeFlags {
  readonly kmsSockets: readonly string[];
  readonly kmsCallTimeout: number;
  readonly configHash: string;
  readonly podName: string;
  readonly podNamespace: string;
}

export function addKmsPreflight(root: Command): Command {
  const command = addSockets(
    root
      .command("kms-preflight")
      .description(
        "try whether a key management service encrypts and decrypts; of further sockets, whether they answer",
      )
      .requiredOption("--kms-call-timeout <duration>", "for each call of a plugin", parseGoDuration)
      .requiredOption("--config-hash <hash>", "names the configuration that is tried", parseConfigHash)
      .requiredOption("--pod-name <name>", "the pod that says in its status what came of it")
      .requiredOption("--pod-namespace <name>", "of that pod"),
  );
  return addNodeOptions(command).action(async (flags: KmsPreflightFlags) => {
    const { runKmsPreflight } = await import("../../run-kms.ts");
    const logger = createLogger({ level: flags.logLevel });
    const signal = stopSignal(() => logger.info("stopping"));
    await runKmsPreflight(flags, { environment: programEnvironment(), logger, signal });
  });
}
