import process from "node:process";
import { createLogger, openLogFile } from "@keelson/base";
import type { Command } from "commander";
import type { StartupMonitorFlags } from "../../operators/kube-apiserver/startup-monitor.ts";
import { nodePlace } from "../../operators/node-place.ts";
import { parseGoDuration } from "../../options/go-duration.ts";
import { addNodeOptions, parseRevision } from "../../options/node-options.ts";
import { programEnvironment } from "../../process/program-environment.ts";
import { stopSignal } from "../../process/stop-signals.ts";

const defaultTimeoutMs = 33_000;

export function addStartupMonitor(root: Command): Command {
  const command = root
    .command("startup-monitor")
    .description("watch a new revision start, and fall back to the last good one if it does not")
    .requiredOption("--revision <n>", "revision", parseRevision)
    .option(
      "--fallback-timeout-duration <duration>",
      "time until the fallback",
      parseGoDuration,
      defaultTimeoutMs,
    )
    .requiredOption("--target-name <name>", "name of the static pod")
    .requiredOption("--manifests-dir <dir>", "manifest directory of the kubelet")
    .requiredOption("--resource-dir <dir>", "directory of the revisions' files")
    .option("--installer-lock-file <file>", "lock file for changes of manifests (default: in --resource-dir)")
    .requiredOption("--node-name <name>", "name of this node")
    .option("--log-file-path <file>", "log file");
  return addNodeOptions(command).action(async (flags: StartupMonitorFlags) => {
    const { runStartupMonitor } = await import("../../operators/kube-apiserver/startup-monitor.ts");
    const { logFilePath, logLevel: level } = flags;
    const destination = logFilePath === undefined ? {} : { destination: logFile(logFilePath) };
    const logger = createLogger({ level, ...destination });
    const signal = stopSignal(() => logger.info("stopping"));
    await runStartupMonitor(flags, { environment: programEnvironment(), logger, signal });
  });
}

function logFile(path: string) {
  const lost = ({ message }: Error) => process.stderr.write(`${path}: ${message}\n`);
  return openLogFile(nodePlace(programEnvironment())(path), lost);
}
