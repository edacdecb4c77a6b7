import process from "node:process";
import { createLogger, openLogFile } from "@keelson/base";
import type { Command } from "commander";
import { nodePlace } from "../../node-place.ts";
import { programEnvironment } from "../../program-environment.ts";
import { stopSignal } from "../../stop-signals.ts";
import { parseGoDuration } from "../go-duration.ts";
import { addNodeOptions, type NodeFlags, parseRevision } from "./node-options.ts";

export interface StartupMonitorFlags extends NodeFlags {
  readonly revision: number;
  readonly fallbackTimeoutDuration: number;
  readonly targetName: string;
  readonly manifestsDir: string;
  readonly resourceDir: string;
  readonly installerLockFile?: string;
  readonly nodeName: string;
  readonly logFilePath?: string;
}

const defaultTimeoutMs = 33_000;

export function addStartupMonitor(root: Command): Command {
  const command = root
    .command("startup-monitor")
    .description("watch a new revision start, and fall back to the last good one when it does not")
    .requiredOption("--revision <n>", "which", parseRevision)
    .option("--fallback-timeout-duration <duration>", "fall back after", parseGoDuration, defaultTimeoutMs)
    .requiredOption("--target-name <name>", "of the static pod")
    .requiredOption("--manifests-dir <dir>", "what the kubelet follows")
    .requiredOption("--resource-dir <dir>", "where the files of revisions are")
    .option("--installer-lock-file <file>", "lock of who changes manifests (default: one in --resource-dir)")
    .requiredOption("--node-name <name>", "of this node")
    .option("--log-file-path <file>", "write the log there");
  return addNodeOptions(command).action(async (flags: StartupMonitorFlags) => {
    const { runStartupMonitor } = await import("../../run-startup-monitor.ts");
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
