import { createLogger } from "@keelson/base";
import type { Command } from "commander";
import { programEnvironment } from "../../program-environment.ts";
import { stopSignal } from "../../stop-signals.ts";
import { addNodeOptions, type NodeFlags } from "./node-options.ts";

export interface CheckEndpointsFlags extends NodeFlags {
  readonly listen: string;
  readonly namespace: string;
}

export function addCheckEndpoints(root: Command): Command {
  const command = root
    .command("check-endpoints")
    .description("try to connect to what the checks of this pod name, and say how it went")
    .option("--config <file>", "accepted, and not read")
    .option("--listen <address>", "address and port of /healthz, over HTTPS", "0.0.0.0:17697")
    .option("--namespace <name>", "of the checks", "openshift-kube-apiserver")
    .option("--v <level>", "verbosity of other programs: changes nothing");
  return addNodeOptions(command).action(async (flags: CheckEndpointsFlags) => {
    const { runCheckEndpoints } = await import("../../run-check-endpoints.ts");
    const logger = createLogger({ level: flags.logLevel });
    const signal = stopSignal(() => logger.info("stopping"));
    await runCheckEndpoints(flags, { environment: programEnvironment(), logger, signal });
  });
}
