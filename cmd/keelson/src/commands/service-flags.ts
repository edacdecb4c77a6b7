import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { logLevelOption, parsePort, stateOption } from "./options.ts";

/** What every role of the service is told on its command line. */
export interface ServiceFlags {
  readonly state: string;
  readonly config?: string;
  readonly database?: string;
  readonly port?: number;
  readonly metricsPort?: number;
  readonly logLevel: string;
}

export function addServiceOptions(command: Command): Command {
  return command
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
    .option("--metrics-port <n>", "port of the metrics; 0 takes a free one", parsePort)
    .addOption(logLevelOption())
    .addHelpText("after", "\nLog lines go to standard error. SIGTERM drains; a second one ends at once.");
}

/** The configuration, with what the flags say instead. @throws InvalidConfiguration */
export async function serviceConfigOf(flags: ServiceFlags) {
  const { readServiceConfig } = await import("@keelson/env");
  return readServiceConfig(flags.config ?? resolve(flags.state, "service.json"), {
    ...(flags.database === undefined ? {} : { database: databaseOf(flags.database) }),
    ...(flags.port === undefined ? {} : { port: flags.port }),
    ...(flags.metricsPort === undefined ? {} : { metricsPort: flags.metricsPort }),
  });
}

function databaseOf(text: string) {
  return /^postgres(ql)?:/.test(text)
    ? { kind: "postgres" as const, url: text }
    : { kind: "embedded" as const, directory: resolve(text) };
}
