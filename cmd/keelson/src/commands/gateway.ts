import { resolve } from "node:path";
import process from "node:process";
import { aborted, createLogger, systemClock } from "@keelson/base";
import type { Command } from "commander";
import { logLevelOption, parsePort } from "../options/options.ts";
import { logWarnings } from "../options/service-flags.ts";
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
      "run the egress gateway, through which clusters without internet access connect to allow-listed hosts. " +
        "Several instances can run with the same database",
    )
    .requiredOption("--config <file>", "configuration file (required)", (text: string) => resolve(text))
    .option(
      "--connect-port <n>",
      "HTTP CONNECT port, instead of `connectPort` in the configuration; 0 selects a free port",
      parsePort,
    )
    .option(
      "--tls-port <n>",
      "TLS port, instead of `tlsPort` in the configuration; 0 selects a free port",
      parsePort,
    )
    .option(
      "--metrics-port <n>",
      "port of health checks and metrics, instead of `metricsPort` in the configuration; 0 selects a free port",
      parsePort,
    )
    .addOption(logLevelOption())
    .addHelpText(
      "after",
      `
The metrics port and the HTTP CONNECT port serve GET /healthz/ready.
The gateway identifies the cluster of a connection by the PROXY protocol header, which the private link service adds. Therefore
allow connections to the HTTP CONNECT and TLS ports only from the load balancer of this private link service.
After SIGTERM, /healthz/ready reports an error, but the gateway accepts new connections for 45 s (\`serveOnMs\` in the
configuration). The gateway then waits up to 60 s (\`drainMs\`) until clients close the open connections.
Finally the gateway closes the remaining connections and exits.`,
    )
    .addHelpText(
      "after",
      "\nExample:\n  keelson gateway --config /etc/keelson/gateway.json --connect-port 8080 --tls-port 8443",
    )
    .action(run);
}

async function run(flags: GatewayFlags): Promise<void> {
  const { readGatewayConfig } = await import("@keelson/env");
  const { startGatewayProcess } = await import("../roles/gateway.ts");
  const { connectPort, tlsPort, metricsPort } = flags;
  const overrides = {
    ...(connectPort === undefined ? {} : { connectPort }),
    ...(tlsPort === undefined ? {} : { tlsPort }),
    ...(metricsPort === undefined ? {} : { metricsPort }),
  };
  const logger = createLogger({ level: flags.logLevel });
  const onWarnings = logWarnings(flags.config, logger);
  const read = () => readGatewayConfig(flags.config, overrides, onWarnings);
  const config = read();
  const source = { path: flags.config, read };
  const signal = stopSignal(() => logger.info("draining"));
  await using gateway = await startGatewayProcess({ config, source, clock: systemClock, logger, signal });
  const { urls } = gateway;
  process.stdout.write(`${JSON.stringify(urls)}\n`);
  await aborted(signal);
  await gateway.drain();
}
