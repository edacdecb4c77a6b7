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

/** `keelson samples-operator`: the operator that keeps the samples of a cluster. */
export function addSamplesOperator(root: Command): Command {
  return addClusterAccess(
    root
      .command("samples-operator")
      .description("the samples operator of a cluster: imagestreams and templates of namespace openshift"),
    "run outside of the cluster, as its user",
  )
    .addOption(
      new Option("--namespace <name>", "the operator's own namespace")
        .env("POD_NAMESPACE")
        .default("openshift-cluster-samples-operator"),
    )
    .addOption(
      new Option("--release <version>", "the release that samples and ClusterOperator are of")
        .env("RELEASE_VERSION")
        .makeOptionMandatory(),
    )
    .option("--content <dir>", "folder with the catalogue of each architecture (default: those shipped)")
    .option("--no-registry-check", "begin with samples where registry.redhat.io cannot be reached, too")
    .option("--host <address>", "address to listen on", "0.0.0.0")
    .option("--health-port <n>", "port of /healthz and /readyz", parsePort, 8080)
    .option(
      "--config <file>",
      "GenericControllerConfig whose servingInfo says how /metrics is served over HTTPS; a change of it ends the program",
    )
    .option(
      "--metrics-port <n>",
      "port of /metrics (default: that of --config, 60000 in it; 8888 over plain HTTP without)",
      parsePort,
    )
    .addOption(logLevelOption())
    .addHelpText(
      "after",
      "\nIt leads by the Lease cluster-samples-operator: others wait. When it loses the lease it ends.",
    )
    .action(run);
}

async function run({ content, ...flags }: Flags): Promise<void> {
  const { startSamplesOperator } = await import("../operators/samples-operator.ts");
  const { shippedCatalogues } = await import("@keelson/samples-operator");
  const logger = createLogger({ level: flags.logLevel });
  const signal = stopSignal(() => logger.info("draining"));
  const folder = content === undefined ? shippedCatalogues : resolve(content);
  using _collection = idleCollection();
  await startSamplesOperator({
    ...flags,
    content: folder,
    environment: programEnvironment(),
    logger,
    signal,
  });
}
