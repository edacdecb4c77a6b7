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
      "run the egress gateway: allow-listed hosts for clusters without internet access; instances share a database",
    )
    .requiredOption("--config <file>", "configuration file", (text: string) => resolve(text))
    .option("--connect-port <n>", "port of HTTP CONNECT; 0 selects a free port", parsePort)
    .option("--tls-port <n>", "port of TLS connections; 0 selects a free port", parsePort)
    .option("--metrics-port <n>", "port of health checks and metrics; 0 selects a free port", parsePort)
    .addOption(logLevelOption())
    .addHelpText(
      "after",
      `
GET /healthz/ready is served on the ports of metrics and of HTTP CONNECT. Only a load balancer with a private link service
may reach the ports of HTTP CONNECT and TLS, because its PROXY header identifies the cluster of a connection.
After SIGTERM the gateway reports not ready, but still accepts connections for 45 s. Open connections then have a minute.`,
    )
    .action(run);
}

async function run(flags: GatewayFlags): Promise<void> {
  const { readGatewayConfig } = await import("@keelson/env");
  const { startGatewayProcess } = await import("../roles/gateway.ts");
  const { connectPort, tlsPort, metricsPort } = flags;
  const read = () =>
    readGatewayConfig(flags.config, {
      ...(connectPort === undefined ? {} : { connectPort }),
      ...(tlsPort === undefined ? {} : { tlsPort }),
      ...(metricsPort === undefined ? {} : { metricsPort }),
    });
  const config = read();
  const source = { path: flags.config, read };
  const logger = createLogger({ level: flags.logLevel });
  const signal = stopSignal(() => logger.info("draining"));
  await using gateway = await startGatewayProcess({ config, source, clock: systemClock, logger, signal });
  const { urls } = gateway;
  process.stdout.write(`${JSON.stringify(urls)}\n`);
  await aborted(signal);
  await gateway.drain();
}
