import process from "node:process";
import { type Logger, Metrics, systemClock } from "@keelson/base";
import { serveHealth } from "@keelson/controller";
import { createSamplesOperator, machineRegistryAccess } from "@keelson/samples-operator";
import { serveMetrics } from "../metrics/serve-metrics.ts";
import { buildVersion } from "../process/build-version.ts";
import { connectOperator, type OperatorAccess } from "./connect-operator.ts";
import { watchFiles } from "./files-change.ts";
import { metricsServing } from "./metrics-serving.ts";
import { nodeReader } from "./node-place.ts";
import { podInstance } from "./pod-instance.ts";

export interface SamplesOperatorOptions extends OperatorAccess {
  readonly namespace: string;
  readonly release: string;
  /** Directory that contains the catalogues. */
  readonly content: string;
  /** True to install samples only if `registry.redhat.io` is reachable. */
  readonly registryCheck: boolean;
  readonly host: string;
  readonly healthPort: number;
  /**
   * Path of a GenericControllerConfig, which configures metrics over HTTPS. When the file changes, the process exits and its
   * supervisor restarts it.
   */
  readonly config?: string;
  /** Metrics port. Default: the port in the configuration, or 8888 without a configuration. */
  readonly metricsPort?: number;
  /** Interval between reads of the configuration and certificate files. Default: 10,000 ms. */
  readonly rereadMs?: number;
  /** Registry for the operator's metrics. Default: a new registry with the process metrics. */
  readonly metrics?: Metrics;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Runs the samples operator until the signal aborts. Rejects if it loses its lease. After a rejection, the process should exit.
 */
export async function startSamplesOperator(options: SamplesOperatorOptions): Promise<void> {
  const { content, environment, host, logger, namespace, release } = options;
  const client = {
    userAgent: `cluster-samples-operator/${buildVersion()}`,
    fieldManager: "samples-operator",
  };
  const { config, rereadMs: everyMs } = options;
  const following = { logger, read: nodeReader(environment), ...(everyMs && { everyMs }) };
  // Computes the fingerprint before the operator reads the file, so that a change during the start is detected.
  const untilChange = await watchFiles(config === undefined ? [] : [config], following);
  const serving = await metricsServing(options, metricsDefaults);
  await using api = await connectOperator(options, client);
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const metrics = options.metrics ?? new Metrics().includeProcess();
  const operator = createSamplesOperator({
    api,
    release,
    content,
    arch: process.arch,
    registry: options.registryCheck
      ? machineRegistryAccess
      : { ...machineRegistryAccess, connect: async () => undefined },
    namespace,
    ...podInstance(environment),
    metrics,
    clock: systemClock,
    logger,
  });
  const ready = () => {
    if (!operator.isReady) throw new Error("the samples have not all been reconciled yet");
  };
  await using health = await serveHealth({
    host,
    port: options.healthPort,
    live: { ready: () => undefined },
    ready: { ready },
  });
  await using served = await serveMetrics({ metrics, host, ...serving });
  logger.info(
    { release, content, api: api.server, health: health.port, metrics: served.url },
    "samples operator started",
  );
  const watching = untilChange(signal).then(() => stop.abort("draining"));
  try {
    await operator.run(signal);
  } finally {
    stop.abort("draining");
    await watching;
  }
}

/** Metrics settings in the manifests of the upstream operator. `httpPort` is the default port without a configuration file. */
const metricsDefaults = { certificateDirectory: "/etc/secrets", httpsPort: 60_000, httpPort: 8_888 };
