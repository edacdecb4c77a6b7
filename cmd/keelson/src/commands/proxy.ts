import { readFileSync } from "node:fs";
import process from "node:process";
import { aborted, createLogger, messageOf } from "@keelson/base";
import { type Command, InvalidArgumentError, Option } from "commander";
import { logLevelOption, parsePort } from "../options/options.ts";
import { cliErrors } from "../output/cli-errors.ts";
import { stopSignal } from "../process/stop-signals.ts";

interface PortRange {
  readonly first: number;
  readonly last: number;
}

interface ProxyFlags {
  readonly certFile: string;
  readonly keyFile: string;
  readonly clientCertFile: string;
  readonly subnet: string;
  readonly allowPorts: readonly PortRange[];
  readonly host: string;
  readonly port: number;
  readonly healthPort: number;
  readonly logLevel: string;
}

export function addProxy(root: Command): Command {
  return root
    .command("proxy")
    .description("run an HTTP CONNECT proxy with mutual TLS, for developers' connections to private clusters")
    .requiredOption("--cert-file <pem>", "file with the server certificate (required)")
    .requiredOption("--key-file <pem>", "file with the private key of the server certificate (required)")
    .requiredOption(
      "--client-cert-file <pem>",
      "file with the client certificate (required). The proxy accepts no other client certificate",
    )
    .option("--subnet <cidr>", "allowed destination addresses", "10.0.0.0/8")
    .addOption(
      new Option(
        "--allow-ports <list>",
        "allowed destination ports: comma-separated ports and port ranges. The default allows ingress, the API server and SSH to masters",
      )
        .default(parsePorts("443,6443,2200-2202"), "443,6443,2200-2202")
        .argParser(parsePorts),
    )
    .option("--host <address>", "address to listen on", "0.0.0.0")
    .option("--port <n>", "proxy port; 0 selects a free port", parsePort, 8_443)
    .option("--health-port <n>", "health check port; 0 selects a free port", parsePort, 8_080)
    .addOption(logLevelOption())
    .addHelpText(
      "after",
      '\nCreate the certificates with "keelson genkey proxy" and "keelson genkey --client proxy-client".',
    )
    .addHelpText(
      "after",
      "\nExample:\n  keelson proxy --cert-file proxy.pem --key-file proxy.pem --client-cert-file proxy-client.pem --subnet 10.0.0.0/16",
    )
    .action(run);
}

function parsePorts(text: string): readonly PortRange[] {
  return text.split(",").map((part) => {
    const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part.trim()) ?? [];
    const range = { first: Number(first), last: Number(last) };
    if (first === undefined || range.first < 1 || range.last > 65_535 || range.first > range.last)
      throw new InvalidArgumentError("expected ports and ranges, for example 443,2200-2202.");
    return range;
  });
}

async function run(flags: ProxyFlags): Promise<void> {
  const { startDevelopmentProxy } = await import("@keelson/gateway");
  const logger = createLogger({ level: flags.logLevel });
  const signal = stopSignal(() => logger.info("stopping"));
  await using proxy = await startDevelopmentProxy({
    ...flags,
    server: { certificatePem: read(flags.certFile), privateKeyPem: read(flags.keyFile) },
    clientCertificatePem: read(flags.clientCertFile),
    ports: flags.allowPorts,
    logger,
  });
  process.stdout.write(`${JSON.stringify({ port: proxy.port, healthPort: proxy.healthPort })}\n`);
  await aborted(signal);
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw cliErrors.RequestFailed(`${path} cannot be read: ${messageOf(error)}`);
  }
}
