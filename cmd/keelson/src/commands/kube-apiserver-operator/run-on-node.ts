import { createLogger } from "@keelson/base";
import type { NodeRun } from "../../operators/kube-apiserver/node-run.ts";
import type { NodeFlags } from "../../options/node-options.ts";
import { programEnvironment } from "../../process/program-environment.ts";
import { stopSignal } from "../../process/stop-signals.ts";

type RunOnNode<F> = (flags: F, run: NodeRun) => Promise<void>;

/** Returns the action of a command that runs on a node. The command ends when its work is done, or when a signal stops it. */
export function runOnNode<F extends NodeFlags>(
  load: () => Promise<RunOnNode<F>>,
): (flags: F) => Promise<void> {
  return async (flags) => {
    const run = await load();
    const logger = createLogger({ level: flags.logLevel });
    const signal = stopSignal(() => logger.info("stopping"));
    await run(flags, { environment: programEnvironment(), logger, signal });
  };
}
