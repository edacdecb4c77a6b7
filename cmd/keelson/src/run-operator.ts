import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { type AroOperatorOptions, createAroOperator, type OperatorRole } from "@keelson/aro-operator";
import { type Logger, Metrics, systemClock } from "@keelson/base";
import { serveHealth } from "@keelson/controller";
import { connectInCluster, connectKube, inClusterServer, type KubeClient } from "@keelson/kube";
import { buildVersion } from "./build-version.ts";
import { cliErrors } from "./cli-errors.ts";
import { serveMetrics } from "./serve-metrics.ts";

export interface OperatorOptions {
  readonly role: OperatorRole;
  /** A file; its user is who the operator acts as. */
  readonly kubeconfig?: string;
  /** URL of the API server for the service account; that of the pod's environment when absent. */
  readonly server?: string;
  readonly serviceAccount: string;
  readonly namespace: string;
  readonly host: string;
  readonly healthPort: number;
  /** Durations of the leader election; OpenShift's when absent. */
  readonly election?: AroOperatorOptions["election"];
  readonly metricsPort: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** One of its own, with those of the process, when absent. */
  readonly metrics?: Metrics;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Runs the ARO operator until the signal aborts. Rejects when it loses its lease: then the process should end. */
export async function startOperator(options: OperatorOptions): Promise<void> {
  const { role, environment, host, namespace, logger, signal } = options;
  const version = buildVersion();
  await using api = await connect(options, version);
  const metrics = options.metrics ?? new Metrics().includeProcess();
  const operator = createAroOperator({
    role,
    api,
    version,
    namespace,
    instance: `${environment.POD_NAME ?? hostname()}_${randomUUID()}`,
    environment,
    ...(options.election ? { election: options.election } : {}),
    metrics,
    clock: systemClock,
    logger,
  });
  const ready = () => {
    if (!operator.isReady) throw new Error("the caches are not filled yet");
  };
  await using health = await serveHealth({
    host,
    port: options.healthPort,
    live: { ready: () => undefined },
    ready: { ready },
  });
  await using served = await serveMetrics({ metrics, host, port: options.metricsPort });
  logger.info(
    { role, version, api: api.server, health: health.port, metrics: served.url },
    "operator started",
  );
  await operator.run(signal);
}

async function connect(options: OperatorOptions, version: string): Promise<KubeClient> {
  const { kubeconfig, role, environment, serviceAccount: folder } = options;
  const client = { userAgent: `aro-operator-${role}/${version}`, fieldManager: "aro-operator" };
  if (kubeconfig !== undefined && options.server === undefined)
    return connectKube({ kubeconfig: await readFile(kubeconfig, "utf8"), ...client });
  const server = options.server ?? inClusterServer(environment);
  if (server === undefined)
    throw cliErrors.NoCluster(
      "there is no cluster to run on: this is no pod; give --kubeconfig FILE (or KUBECONFIG) of its administrator",
    );
  return connectInCluster({ server, folder }, client);
}
