import process from "node:process";
import { aborted, createLogger, systemClock } from "@keelson/base";
import type { Command } from "commander";
import { parsePort } from "../options/options.ts";
import { addServiceOptions, type ServiceFlags, serviceConfigOf } from "../options/service-flags.ts";
import { stopSignal } from "../process/stop-signals.ts";

interface RpFlags extends ServiceFlags {
  readonly withMaintenance?: boolean;
  readonly withMonitor?: boolean;
  readonly withPortal?: boolean;
}

export function addRp(root: Command): Command {
  const command = root
    .command("rp")
    .description("run the resource provider: the ARM API and its workers; any number may share a database")
    .option("--port <n>", "port of the ARM API; 0 takes a free one", parsePort)
    .option("--with-maintenance", 'also do what "keelson maintenance actuator" and "scheduler" do')
    .option("--with-monitor", 'also do what "keelson monitor" does')
    .option("--with-portal", 'also do what "keelson portal" does');
  return addServiceOptions(command).action(run);
}

async function run(flags: RpFlags): Promise<void> {
  const { startService } = await import("../roles/service.ts");
  const config = await serviceConfigOf(flags);
  const logger = createLogger({ level: flags.logLevel });
  const signal = stopSignal(() => logger.info("draining"));
  const withMaintenance = flags.withMaintenance === true;
  const withMonitor = flags.withMonitor === true;
  const withPortal = flags.withPortal === true;
  const roles = { withMaintenance, withMonitor, withPortal };
  await using service = await startService({ config, ...roles, clock: systemClock, logger, signal });
  process.stdout.write(`${JSON.stringify({ rp: service.url, metrics: service.metricsUrl })}\n`);
  await aborted(signal);
}
