import { createLogger, type LogFormat } from "@keelson/base";
import { type Command, InvalidArgumentError, Option } from "commander";
import { addClusterAccess, type ClusterAccessFlags } from "../options/cluster-access-options.ts";
import { logFormatOption, logLevelOption, parsePort, parseSeconds } from "../options/options.ts";
import { idleCollection } from "../process/idle-collection.ts";
import { programEnvironment } from "../process/program-environment.ts";
import { stopSignal } from "../process/stop-signals.ts";

interface OperatorFlags extends ClusterAccessFlags {
  readonly namespace: string;
  readonly host: string;
  readonly healthPort: number;
  readonly metricsPort: number;
  readonly leaderElectLeaseDuration: number;
  readonly leaderElectRenewDeadline: number;
  readonly leaderElectRetryPeriod: number;
  readonly logLevel: string;
  readonly logFormat: LogFormat;
}

const defaultNamespace = "openshift-azure-operator";

export function addOperator(root: Command): Command {
  return addClusterAccess(
    root
      .command("operator")
      .description(
        "run one role of a cluster's ARO operator. master runs the controllers. worker checks the network connectivity of its node",
      )
      .argument("<role>", "role to run: master or worker", (text: string) => {
        if (text === "master" || text === "worker") return text;
        throw new InvalidArgumentError(`invalid role ${text}`);
      }),
    "kubeconfig file for an operator that runs outside the cluster",
  )
    .addOption(
      new Option("--namespace <name>", "namespace of the operator")
        .env("POD_NAMESPACE")
        .default(defaultNamespace),
    )
    .option("--host <address>", "address to listen on", "0.0.0.0")
    .option("--health-port <n>", "port of /healthz and /readyz", parsePort, 8080)
    .option("--metrics-port <n>", "port of /metrics", parsePort, 8888)
    .option(
      "--leader-elect-lease-duration <seconds>",
      "time without renewal after which a second instance acquires the lease",
      parseSeconds,
      137,
    )
    .option(
      "--leader-elect-renew-deadline <seconds>",
      "time without renewal after which the leader exits",
      parseSeconds,
      107,
    )
    .option(
      "--leader-elect-retry-period <seconds>",
      "interval between attempts to acquire or renew the lease",
      parseSeconds,
      26,
    )
    .addOption(logLevelOption())
    .addOption(logFormatOption())
    .addHelpText(
      "after",
      "\nThe master role signs in to Azure with AZURE_CLIENT_ID, AZURE_TENANT_ID, and either AZURE_CLIENT_SECRET or\nAZURE_FEDERATED_TOKEN_FILE. Its instances elect a leader with the Lease aro-operator-master. A leader that loses the Lease exits.",
    )
    .addHelpText("after", "\nExample:\n  keelson operator master --kubeconfig demo.kubeconfig")
    .action(run);
}

async function run(role: "master" | "worker", flags: OperatorFlags): Promise<void> {
  const { startOperator } = await import("../operators/aro-operator.ts");
  const logger = createLogger({ level: flags.logLevel, format: flags.logFormat });
  const signal = stopSignal(() => logger.info("draining"));
  const election = {
    leaseDurationMs: flags.leaderElectLeaseDuration * 1_000,
    renewDeadlineMs: flags.leaderElectRenewDeadline * 1_000,
    retryPeriodMs: flags.leaderElectRetryPeriod * 1_000,
  };
  using _collection = idleCollection();
  await startOperator({ role, ...flags, election, environment: programEnvironment(), logger, signal });
}
