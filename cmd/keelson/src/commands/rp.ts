import { resolve } from "node:path";
import process from "node:process";
import { aborted, createLogger, systemClock } from "@keelson/base";
import { type Command, Option } from "commander";
import { stopSignal } from "../stop-signals.ts";
import { logLevelOption, parsePort, stateOption } from "./options.ts";

interface RpFlags {
  readonly state: string;
  readonly config?: string;
  readonly database?: string;
  readonly port?: number;
  readonly metricsPort?: number;
  readonly logLevel: string;
}

export function addRp(root: Command): Command {
  return root
    .command("rp")
    .description("run the resource provider: the ARM API and its workers; any number may share a database")
    .addOption(stateOption())
    .addOption(
      new Option("--config <file>", "configuration (default: service.json of the state directory)").argParser(
        (text: string) => resolve(text),
      ),
    )
    .option(
      "--database <url or dir>",
      "postgres://user:password@host:port/db, or a folder for the embedded one",
    )
    .option("--port <n>", "port of the ARM API; 0 takes a free one", parsePort)
    .option("--metrics-port <n>", "port of the metrics; 0 takes a free one", parsePort)
    .addOption(logLevelOption())
    .addHelpText("after", "\nLog lines go to standard error. SIGTERM drains; a second one ends at once.")
    .action(run);
}

async function run(flags: RpFlags): Promise<void> {
  const { readServiceConfig } = await import("@keelson/env");
  const { startService } = await import("../run-service.ts");
  const config = readServiceConfig(flags.config ?? resolve(flags.state, "service.json"), {
    ...(flags.database === undefined ? {} : { database: databaseOf(flags.database) }),
    ...(flags.port === undefined ? {} : { port: flags.port }),
    ...(flags.metricsPort === undefined ? {} : { metricsPort: flags.metricsPort }),
  });
  const logger = createLogger({ level: flags.logLevel });
  const signal = stopSignal(() => logger.info("draining"));
  await using service = await startService({ config, clock: systemClock, logger, signal });
  process.stdout.write(`${JSON.stringify({ rp: service.url, metrics: service.metricsUrl })}\n`);
  await aborted(signal);
}

function databaseOf(text: string) {
  return /^postgres(ql)?:/.test(text)
    ? { kind: "postgres" as const, url: text }
    : { kind: "embedded" as const, directory: resolve(text) };
}
