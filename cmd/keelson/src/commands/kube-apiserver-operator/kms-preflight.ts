import { createLogger } from "@keelson/base";
import type { Command } from "commander";
import type { KmsPreflightFlags } from "../../operators/kube-apiserver/kms.ts";
import { parseGoDuration } from "../../options/go-duration.ts";
import { addSockets, parseConfigHash } from "../../options/kms-options.ts";
import { addNodeOptions } from "../../options/node-options.ts";
import { programEnvironment } from "../../process/program-environment.ts";
import { stopSignal } from "../../process/stop-signals.ts";

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
    const { runKmsPreflight } = await import("../../operators/kube-apiserver/kms.ts");
    const logger = createLogger({ level: flags.logLevel });
    const signal = stopSignal(() => logger.info("stopping"));
    await runKmsPreflight(flags, { environment: programEnvironment(), logger, signal });
  });
}
