import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { systemClock } from "@keelson/base";
import { hostInUrl } from "@keelson/http";
import { type Command, InvalidArgumentError, Option } from "commander";
import { addConfigOptions, type ConfigFlags, serviceConfigOf } from "../options/service-flags.ts";
import { cliErrors } from "../output/cli-errors.ts";
import { stopSignal } from "../process/stop-signals.ts";

interface BundleFlags extends ConfigFlags {
  readonly file: string;
  readonly logs?: readonly string[];
  readonly metricsUrl?: readonly string[];
  readonly pid?: readonly number[];
  readonly cpuProfile?: boolean;
}

export function addSupportBundle(root: Command): Command {
  const command = root
    .command("support-bundle")
    .description("write diagnostics without secrets to an archive")
    .addOption(
      new Option("--file <path>", "path of the archive, .tar.gz")
        .default("keelson-support.tar.gz")
        .argParser((text: string) => resolve(text)),
    )
    .option(
      "--logs <files...>",
      "log files to include (default: log files in the state directory; with --config: none)",
    )
    .option(
      "--metrics-url <urls...>",
      "URLs of metrics to include (default: URL of the metrics port in the configuration)",
    )
    .option(
      "--pid <ids...>",
      "IDs of local service processes to include (default: the service process that uses the state directory; with --config: none)",
      parsePid,
    )
    .option("--cpu-profile", "also record a CPU profile of each included process for 30 s");
  return addConfigOptions(command)
    .addHelpText(
      "after",
      `
The archive contains the configuration without secrets, versions, the report of "keelson doctor", the last 4 MB of each log,
metrics, and heap statistics of each process. It contains no heap contents and no database documents. Read the archive before
you share it. Run the command as the user of the processes or as root, because it sends SIGUSR2 to each process.`,
    )
    .addHelpText("after", "\nExample:\n  keelson support-bundle --file support.tar.gz --cpu-profile")
    .action(run);
}

function parsePid(text: string, before: readonly number[] = []): readonly number[] {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError("expected a process ID.");
  return [...before, Number(text)];
}

async function run(flags: BundleFlags): Promise<void> {
  const [{ createBundle }, { writeBundle }, { readRunStatus }] = await Promise.all([
    import("../support/create-bundle.ts"),
    import("../support/bundle-file.ts"),
    import("../state/component-status.ts"),
  ]);
  if (existsSync(flags.file)) {
    throw cliErrors.FileExists(`${flags.file} exists. Remove it, or use --file for another path.`);
  }
  const signal = stopSignal(() => undefined);
  const embedded = flags.config === undefined;
  const components = embedded ? (readRunStatus(flags.state)?.components ?? []) : [];
  const files = await createBundle({
    configFile: flags.config ?? join(flags.state, "service.json"),
    flags,
    logs: flags.logs ?? (embedded ? logsOf(flags.state) : []),
    metricsUrls: flags.metricsUrl ?? (await metricsUrlsOf(flags)),
    pids:
      flags.pid ??
      components.flatMap(({ component, process: id }) => (component === "service" && id ? [id] : [])),
    withProfile: flags.cpuProfile === true,
    report: (text) => void process.stderr.write(`${text}\n`),
    clock: systemClock,
    signal,
  });
  await writeBundle(flags.file, files);
  process.stdout.write(`${flags.file}\n`);
}

function logsOf(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => name.endsWith(".log"))
    .map((name) => join(directory, name));
}

/**
 * Returns the metrics URLs of the service. If the configuration is unreadable, the result is empty, and the bundle reports the
 * reason.
 */
async function metricsUrlsOf(flags: ConfigFlags): Promise<readonly string[]> {
  try {
    const { host, metricsPort } = await serviceConfigOf(flags);
    return metricsPort === 0 ? [] : [`http://${hostInUrl(host)}:${metricsPort}/metrics`];
  } catch {
    return [];
  }
}
