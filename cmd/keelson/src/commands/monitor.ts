import process from "node:process";
import { aborted, createLogger, statsdAddress, systemClock } from "@keelson/base";
import { type Command, InvalidArgumentError, Option } from "commander";
import { addServiceOptions, roleConfigSource, type ServiceFlags } from "../options/service-flags.ts";
import { idleCollection, responsiveHeapBytes } from "../process/idle-collection.ts";
import { stopSignal } from "../process/stop-signals.ts";

const defaultAddress = "unix:mdm_statsd.socket";

export function addMonitor(root: Command): Command {
  const command = addServiceOptions(
    root
      .command("monitor")
      .description(
        "monitor cluster health and export metrics. Several instances can run with the same database",
      ),
  )
    .addHelpText("after", "The metrics port serves GET /healthz/ready.")
    .addHelpText("after", "\nExample:\n  keelson monitor --config /etc/keelson/service.json")
    .action(run);
  command
    .command("tail")
    .description("listen as a statsd server and print each received line")
    .addOption(
      new Option(
        "--listen <address>",
        "address to listen on, unix:PATH or udp:HOST:PORT. Set telemetry.statsd.address in the monitor's configuration to this address",
      )
        .argParser(parseAddress)
        .default(parseAddress(defaultAddress), defaultAddress),
    )
    .addHelpText("after", "\nExample:\n  keelson monitor tail --listen udp:127.0.0.1:8125")
    .action(tail)
    .copyInheritedSettings(root);
  return command;
}

function parseAddress(text: string) {
  try {
    return statsdAddress(text);
  } catch {
    throw new InvalidArgumentError("expected unix:PATH or udp:HOST:PORT.");
  }
}

async function run(flags: ServiceFlags): Promise<void> {
  const { startMonitorProcess } = await import("../roles/monitor.ts");
  const logger = createLogger({ level: flags.logLevel });
  const source = roleConfigSource(flags, logger);
  const config = await source.read();
  const signal = stopSignal(() => logger.info("draining"));
  await using monitor = await startMonitorProcess({
    config,
    source,
    clock: systemClock,
    logger,
    signal,
  });
  process.stdout.write(`${JSON.stringify({ metrics: monitor.metricsUrl })}\n`);
  using _collection = idleCollection({ maxHeapBytes: responsiveHeapBytes });
  await aborted(signal);
}

async function tail({ listen }: { readonly listen: ReturnType<typeof statsdAddress> }): Promise<void> {
  const { printStatsd } = await import("../metrics/print-statsd.ts");
  const signal = stopSignal(() => undefined);
  await using _ = await printStatsd(listen, (text) => process.stdout.write(text));
  await aborted(signal);
}
