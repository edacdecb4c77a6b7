import { createLogger } from "@keelson/base";
import type { Command } from "commander";
import type { CheckEndpointsFlags } from "../../operators/kube-apiserver/check-endpoints.ts";
import { addNodeOptions } from "../../options/node-options.ts";
import { programEnvironment } from "../../process/program-environment.ts";
import { stopSignal } from "../../process/stop-signals.ts";

export function addCheckEndpoints(root: Command): Command {
  const command = root
    .command("check-endpoints")
    .description("try to connect to what the checks of this pod name, and say how it went")
    .option("--config <file>", "accepted, and not read")
    .option("--listen <address>", "address and port of /healthz, over HTTPS", "0.0.0.0:17697")
    .option("--namespace <name>", "of the checks", "openshift-kube-apiserver")
    .option("--v <level>", "verbosity of other programs: changes nothing");
  return addNodeOptions(command).action(async (flags: CheckEndpointsFlags) => {
    const { runCheckEndpoints } = await import("../../operators/kube-apiserver/check-endpoints.ts");
    const logger = createLogger({ level: flags.logLevel });
    const signal = stopSignal(() => logger.info("stopping"));
    await runCheckEndpoints(flags, { environment: programEnvironment(), logger, signal });
  });
}
