import cluster from "node:cluster";
import process from "node:process";
import { aborted, createLogger, type Logger, Metrics, systemClock } from "@keelson/base";
import type { ServiceConfig } from "@keelson/env";
import { type Command, Option } from "commander";
import { parsePort } from "../options/options.ts";
import { addServiceOptions, type ServiceFlags, serviceConfigSource } from "../options/service-flags.ts";
import { stopSignal } from "../process/stop-signals.ts";
import { type ProcessCount, parseProcessCount, processCount } from "../rp-processes/process-count.ts";

interface RpFlags extends ServiceFlags {
  readonly processes: ProcessCount;
  readonly withMaintenance?: boolean;
  readonly withMonitor?: boolean;
  readonly withPortal?: boolean;
}

export function addRp(root: Command): Command {
  const command = root
    .command("rp")
    .description(
      "run the resource provider, which serves the ARM API and executes cluster operations. Several instances can run with the same database",
    )
    .option(
      "--port <n>",
      "port of the ARM API, instead of `port` in the configuration; 0 selects a free port",
      parsePort,
    )
    .addOption(
      new Option(
        "--processes <n>",
        "number of processes that share the port: 1 to 64, or auto (one per CPU core). An embedded database supports only one process",
      )
        // The service's container image sets this variable to `auto`.
        .env("KEELSON_PROCESSES")
        .argParser(parseProcessCount)
        .default(1),
    )
    .option(
      "--with-maintenance",
      'also perform the tasks of "keelson maintenance actuator" and "keelson maintenance scheduler"',
    )
    .option("--with-monitor", 'also perform the tasks of "keelson monitor"')
    .option("--with-portal", 'also perform the tasks of "keelson portal"');
  return addServiceOptions(command)
    .addHelpText("after", "\nExample: keelson rp --config /etc/keelson/service.json --processes auto")
    .action(run);
}

async function run(flags: RpFlags, command: Command): Promise<void> {
  const logger = createLogger({ level: flags.logLevel });
  const source = serviceConfigSource(flags, logger);
  const config = await source.read();
  const roles = {
    withMaintenance: flags.withMaintenance === true,
    withMonitor: flags.withMonitor === true,
    withPortal: flags.withPortal === true,
  };
  if (cluster.isWorker) {
    const { runRpWorker } = await import("../rp-processes/run-rp-worker.ts");
    return runRpWorker({ config, source, logLevel: flags.logLevel, ...roles });
  }
  const count = processCount(flags.processes, config.database.kind);
  if (count === undefined)
    command.error(
      `keelson: --processes ${flags.processes} needs a database that several processes can open: ` +
        "set database.kind to postgres or cosmos, or use --processes 1",
      { exitCode: 2 },
    );
  const signal = stopSignal(() => logger.info("draining"));
  if (count > 1) return runProcesses(config, { count, logger, signal });
  const { startService } = await import("../roles/service.ts");
  await using service = await startService({
    config,
    source,
    ...roles,
    clock: systemClock,
    logger,
    signal,
  });
  print(service.url, service.metricsUrl);
  await aborted(signal);
}

interface ProcessesOptions {
  readonly count: number;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Runs the service processes. @throws NotRunning if a process cannot start, or exits too often */
async function runProcesses(
  { host, metricsPort }: ServiceConfig,
  { count, logger, signal }: ProcessesOptions,
): Promise<void> {
  const { RpWorkers } = await import("../rp-processes/rp-workers.ts");
  const { serveMetrics } = await import("../metrics/serve-metrics.ts");
  const metrics = new Metrics();
  await using workers = new RpWorkers({ count, metrics, clock: systemClock, logger });
  const expose = () => workers.expose();
  await using served = await serveMetrics({ metrics, expose, host, port: metricsPort });
  print(await workers.serving(signal), served.url);
  await aborted(AbortSignal.any([signal, workers.failed]));
  if (!signal.aborted) workers.failed.throwIfAborted();
}

function print(rp: string, metrics: string | undefined): void {
  process.stdout.write(`${JSON.stringify({ rp, metrics })}\n`);
}
