import { createLogger } from "@keelson/base";
import { type Command, InvalidArgumentError, Option } from "commander";
import { addClusterAccess, type ClusterAccessFlags } from "../../options/cluster-access-options.ts";
import { logLevelOption, parsePort, parseSeconds } from "../../options/options.ts";
import { idleCollection } from "../../process/idle-collection.ts";
import { programEnvironment } from "../../process/program-environment.ts";
import { stopSignal } from "../../process/stop-signals.ts";

interface OperatorFlags extends ClusterAccessFlags {
  readonly config?: string;
  readonly namespace: string;
  readonly listen: string;
  readonly terminateOnFiles: readonly string[];
  readonly healthPort?: number;
  readonly metricsPort?: number;
  readonly leaderElectLeaseDuration?: number;
  readonly leaderElectRenewDeadline?: number;
  readonly leaderElectRetryPeriod?: number;
  readonly minReady?: number;
  readonly logLevel: string;
}

export function addApiserverOperator(root: Command): Command {
  return addClusterAccess(
    root
      .command("operator")
      .description(
        "run the operator, which renders and rolls out API server revisions and rotates certificates",
      )
      .option(
        "--config <file>",
        "GenericOperatorConfig file, in which servingInfo configures HTTPS for /metrics. The operator exits if the file changes",
      ),
    "kubeconfig file for an operator that runs outside the cluster",
  )
    .addOption(
      new Option("--namespace <name>", "namespace of the operator")
        .env("POD_NAMESPACE")
        .default("openshift-kube-apiserver-operator"),
    )
    .option("--listen <address>", "address and port of /healthz and /readyz", "0.0.0.0:8080")
    .option("--health-port <n>", "port of /healthz and /readyz, instead of the port in --listen", parsePort)
    .option(
      "--metrics-port <n>",
      "port of /metrics. Without --config: HTTP, default port is 8888. " +
        "With --config: HTTPS, default port is the port in servingInfo.bindAddress, or 8443 if bindAddress is not set",
      parsePort,
    )
    .addOption(
      new Option("--terminate-on-files <file>", "exit if this file changes; repeatable")
        .default([], "none")
        .argParser((text: string, before: readonly string[]) => [...before, text]),
    )
    .option(
      "--leader-elect-lease-duration <seconds>",
      "time without renewal after which a second instance acquires the lease (default: 137; single-node clusters: 270)",
      parseSeconds,
    )
    .option(
      "--leader-elect-renew-deadline <seconds>",
      "time without renewal after which the leader exits (default: 107; single-node clusters: 240)",
      parseSeconds,
    )
    .option(
      "--leader-elect-retry-period <seconds>",
      "interval between attempts to acquire or renew the lease (default: 26; single-node clusters: 60)",
      parseSeconds,
    )
    .option(
      "--min-ready <seconds>",
      "minimum time that an updated API server must be ready before the rollout continues on the next master (default: 30)",
      parseMinReady,
    )
    .addOption(logLevelOption())
    .addHelpText(
      "after",
      "\nRequired environment variables: IMAGE, OPERATOR_IMAGE, OPERAND_IMAGE_VERSION and OPERATOR_IMAGE_VERSION.",
    )
    .addHelpText(
      "after",
      "\nExample:\n  keelson kube-apiserver-operator operator --kubeconfig demo.kubeconfig",
    )
    .action(run);
}

function parseMinReady(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text))
    throw new InvalidArgumentError("expected a number of seconds such as 0 or 30.");
  return Number(text);
}

async function run(flags: OperatorFlags): Promise<void> {
  const { runApiserverOperator } = await import("../../operators/kube-apiserver-operator.ts");
  const logger = createLogger({ level: flags.logLevel });
  const signal = stopSignal(() => logger.info("draining"));
  const { leaderElectLeaseDuration, leaderElectRenewDeadline, leaderElectRetryPeriod, minReady, ...rest } =
    flags;
  const election = {
    ...(leaderElectLeaseDuration ? { leaseDurationMs: leaderElectLeaseDuration * 1_000 } : {}),
    ...(leaderElectRenewDeadline ? { renewDeadlineMs: leaderElectRenewDeadline * 1_000 } : {}),
    ...(leaderElectRetryPeriod ? { retryPeriodMs: leaderElectRetryPeriod * 1_000 } : {}),
  };
  using _collection = idleCollection();
  await runApiserverOperator({
    ...rest,
    minReadyMs: minReady === undefined ? undefined : minReady * 1_000,
    election,
    environment: programEnvironment(),
    logger,
    signal,
  });
}
