import process from "node:process";
import { createLogger, openLogFile } from "@keelson/base";
import { type Command, Option } from "commander";
import type { StartupMonitorFlags } from "../../operators/kube-apiserver/startup-monitor.ts";
import { nodePlace } from "../../operators/node-place.ts";
import { parsePositiveDuration } from "../../options/go-duration.ts";
import { addNodeOptions, parseRevision } from "../../options/node-options.ts";
import { programEnvironment } from "../../process/program-environment.ts";
import { stopSignal } from "../../process/stop-signals.ts";

const defaultTimeoutMs = 33_000;

export function addStartupMonitor(root: Command): Command {
  const command = root
    .command("startup-monitor")
    .description(
      "monitor the start of a new static pod revision. If this revision does not become healthy in time, restore the last healthy revision",
    )
    .requiredOption("--revision <n>", "number of the new revision (required)", parseRevision)
    .addOption(
      new Option(
        "--fallback-timeout-duration <duration>",
        "time limit for the new revision to become healthy",
      )
        .argParser(parsePositiveDuration)
        .default(defaultTimeoutMs, "33s"),
    )
    .requiredOption("--target-name <name>", "name of the static pod (required)")
    .requiredOption("--manifests-dir <dir>", "static pod manifest directory of the kubelet (required)")
    .requiredOption("--resource-dir <dir>", "directory that contains the files of all revisions (required)")
    .option(
      "--installer-lock-file <file>",
      "file that installers lock during manifest changes (default: a file in --resource-dir)",
    )
    .requiredOption("--node-name <name>", "name of this node (required)")
    .option("--log-file-path <file>", "log file (default: standard error)");
  return addNodeOptions(command)
    .addHelpText(
      "after",
      "\nExample:\n  keelson kube-apiserver-operator startup-monitor --revision 7 --target-name kube-apiserver --node-name master-0 \\\n    --manifests-dir /etc/kubernetes/manifests --resource-dir /etc/kubernetes/static-pod-resources",
    )
    .action(async (flags: StartupMonitorFlags) => {
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
