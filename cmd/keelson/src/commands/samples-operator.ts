import { resolve } from "node:path";
import { createLogger } from "@keelson/base";
import { type Command, Option } from "commander";
import { addClusterAccess, type ClusterAccessFlags } from "../options/cluster-access-options.ts";
import { logLevelOption, parsePort } from "../options/options.ts";
import { idleCollection } from "../process/idle-collection.ts";
import { programEnvironment } from "../process/program-environment.ts";
import { stopSignal } from "../process/stop-signals.ts";

interface Flags extends ClusterAccessFlags {
  readonly namespace: string;
  readonly release: string;
  readonly content?: string;
  readonly registryCheck: boolean;
  readonly host: string;
  readonly healthPort: number;
  readonly config?: string;
  readonly metricsPort?: number;
  readonly logLevel: string;
}

/** `keelson samples-operator`: runs the operator that installs OpenShift's sample imagestreams and templates in a cluster. */
export function addSamplesOperator(root: Command): Command {
  return addClusterAccess(
    root
      .command("samples-operator")
      .description(
        "run a cluster's samples operator, which reconciles imagestreams and templates in namespace openshift",
      ),
    "kubeconfig file for an operator that runs outside the cluster",
  )
    .addOption(
      new Option("--namespace <name>", "namespace of the operator")
        .env("POD_NAMESPACE")
        .default("openshift-cluster-samples-operator"),
    )
    .addOption(
      new Option(
        "--release <version>",
        "OpenShift version that the operator writes to samples and to the ClusterOperator status (required)",
      )
        .env("RELEASE_VERSION")
        .makeOptionMandatory(),
    )
    .option(
      "--content <dir>",
      "directory with a subdirectory of samples for each architecture (default: built-in samples)",
    )
    .option(
      "--no-registry-check",
      "install samples even if registry.redhat.io is unreachable at the first start",
    )
    .option("--host <address>", "address to listen on", "0.0.0.0")
    .option("--health-port <n>", "port of /healthz and /readyz", parsePort, 8080)
    .option(
      "--config <file>",
      "GenericControllerConfig file, in which servingInfo configures HTTPS for /metrics. The operator exits if the file changes",
    )
    .option(
      "--metrics-port <n>",
      "port of /metrics. Without --config: HTTP, default port is 8888. " +
        "With --config: HTTPS, default port is the port in servingInfo.bindAddress, or 60000 if bindAddress is not set",
      parsePort,
    )
    .addOption(logLevelOption())
    .addHelpText(
      "after",
      "\nInstances elect a leader with the Lease cluster-samples-operator. A leader that loses the Lease exits.",
    )
    .addHelpText(
      "after",
      "\nExample:\n  keelson samples-operator --kubeconfig demo.kubeconfig --release 4.19.24",
    )
    .action(run);
}

async function run({ content, ...flags }: Flags): Promise<void> {
  const { startSamplesOperator } = await import("../operators/samples-operator.ts");
  const { shippedCatalogues } = await import("@keelson/samples-operator");
  const logger = createLogger({ level: flags.logLevel });
  const signal = stopSignal(() => logger.info("draining"));
  const directory = content === undefined ? shippedCatalogues : resolve(content);
  using _collection = idleCollection();
  await startSamplesOperator({
    ...flags,
    content: directory,
    environment: programEnvironment(),
    logger,
    signal,
  });
}
