import process from "node:process";
import { aborted, createLogger, systemClock } from "@keelson/base";
import type { Command } from "commander";
import { stopSignal } from "../stop-signals.ts";
import { addServiceOptions, type ServiceFlags, serviceConfigOf } from "./service-flags.ts";

export function addPortal(root: Command): Command {
  return addServiceOptions(
    root
      .command("portal")
      .description(
        "lead administrators to clusters through the kubeconfigs that the admin API gives; any number may share a database",
      ),
  )
    .addHelpText(
      "after",
      "Where it listens is in the configuration: portal.host and portal.port. GET /healthz/ready is answered there.",
    )
    .action(run);
}

async function run(flags: ServiceFlags): Promise<void> {
  const { startPortalProcess } = await import("../run-portal.ts");
  const config = await serviceConfigOf(flags);
  const logger = createLogger({ level: flags.logLevel });
  const signal = stopSignal(() => logger.info("stopping"));
  await using portal = await startPortalProcess({ config, clock: systemClock, logger, signal });
  process.stdout.write(`${JSON.stringify(portal.urls)}\n`);
  await aborted(signal);
}
