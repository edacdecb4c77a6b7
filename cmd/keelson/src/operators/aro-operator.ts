import { type AroOperatorOptions, createAroOperator, type OperatorRole } from "@keelson/aro-operator";
import { type Logger, Metrics, systemClock } from "@keelson/base";
import { serveHealth } from "@keelson/controller";
import { serveMetrics } from "../metrics/serve-metrics.ts";
import { buildVersion } from "../process/build-version.ts";
import { connectOperator, type OperatorAccess } from "./connect-operator.ts";
import { podInstance } from "./pod-instance.ts";

export interface OperatorOptions extends OperatorAccess {
  readonly role: OperatorRole;
  readonly namespace: string;
  readonly host: string;
  readonly healthPort: number;
  /** Leader election durations. Default: OpenShift's durations. */
  readonly election?: AroOperatorOptions["election"];
  readonly metricsPort: number;
  /** Registry for the operator's metrics. Default: a new registry with the process metrics. */
  readonly metrics?: Metrics;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Runs the ARO operator until the signal aborts. Rejects if the operator loses its lease. After a rejection, the process should
 * exit.
 */
export async function startOperator(options: OperatorOptions): Promise<void> {
  const { role, environment, host, namespace, logger, signal } = options;
  const version = buildVersion();
  const client = { userAgent: `aro-operator-${role}/${version}`, fieldManager: "aro-operator" };
  await using api = await connectOperator(options, client);
  const metrics = options.metrics ?? new Metrics().includeProcess();
  const { instance, election } = podInstance(environment);
  const operator = createAroOperator({
    role,
    api,
    version,
    namespace,
    instance,
    environment,
    election: { ...election, ...options.election },
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
