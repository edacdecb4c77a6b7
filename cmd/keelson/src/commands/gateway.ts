import { resolve } from "node:path";
import process from "node:process";
import { aborted, createLogger, systemClock } from "@keelson/base";
import type { Command } from "commander";
import { logLevelOption, parsePort } from "../options/options.ts";
import { stopSignal } from "../process/stop-signals.ts";

interface GatewayFlags {
  readonly config: string;
  readonly connectPort?: number;
  readonly tlsPort?: number;
  readonly metricsPort?: number;
  readonly logLevel: string;
}

export function addGateway(root: Command): Command {
  return root
    .command("gateway")
    .description(
      "lead clusters without a way out to the few hosts that they need; any number may share a database",
    )
    .requiredOption("--config <file>", "configuration", (text: string) => resolve(text))
    .option("--connect-port <n>", "port of HTTP CONNECT; 0 takes a free one", parsePort)
    .option("--tls-port <n>", "port of TLS connections; 0 takes a free one", parsePort)
    .option("--metrics-port <n>", "port of health and metrics; 0 takes a free one", parsePort)
    .addOption(logLevelOption())
    .addHelpText(
      "after",
      `
GET /healthz/ready is answered on the ports of the metrics and of HTTP CONNECT. Only a load balancer with a private link
service may reach the other two: its PROXY header says whose a connection is.
SIGTERM: not ready at once, connections are taken for 45 s more, and open ones may end for a minute.`,
    )
    .action(run);
}

async function run(flags: GatewayFlags): Promise<void> {
  const { readGatewayConfig } = await import("@keelson/env");
  const { startGatewayProcess } = await import("../roles/gateway.ts");
  const { connectPort, tlsPort, metricsPort } = flags;
  const config = readGatewayConfig(flags.config, {
    ...(connectPort === undefined ? {} : { connectPort }),
    ...(tlsPort === undefined ? {} : { tlsPort }),
    ...(metricsPort === undefined ? {} : { metricsPort }),
  });
  const logger = createLogger({ level: flags.logLevel });
  const signal = stopSignal(() => logger.info("draining"));
  await using gateway = await startGatewayProcess({ config, clock: systemClock, logger, signal });
  const { urls } = gateway;
  process.stdout.write(`${JSON.stringify(urls)}\n`);
  await aborted(signal);
  await gateway.drain();
}
