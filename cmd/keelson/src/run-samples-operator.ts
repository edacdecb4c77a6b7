import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import process from "node:process";
import { type Logger, Metrics, systemClock } from "@keelson/base";
import { serveHealth } from "@keelson/controller";
import { createSamplesOperator, machineRegistryAccess } from "@keelson/samples-operator";
import { buildVersion } from "./build-version.ts";
import { connectOperator, type OperatorAccess } from "./connect-operator.ts";
import { serveMetrics } from "./serve-metrics.ts";

export interface SamplesOperatorOptions extends OperatorAccess {
  readonly namespace: string;
  readonly release: string;
  /** Folder of the catalogues. */
  readonly content: string;
  /** Whether `registry.redhat.io` must be in reach for samples to begin; else it is taken to be. */
  readonly registryCheck: boolean;
  readonly host: string;
  readonly healthPort: number;
  readonly metricsPort: number;
  /** One of its own, with those of the process, when absent. */
  readonly metrics?: Metrics;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Runs the samples operator until the signal aborts. Rejects when it loses its lease: then the process should end. */
export async function startSamplesOperator(options: SamplesOperatorOptions): Promise<void> {
  const { content, environment, host, logger, namespace, release, signal } = options;
  const client = {
    userAgent: `cluster-samples-operator/${buildVersion()}`,
    fieldManager: "samples-operator",
  };
  await using api = await connectOperator(options, client);
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
    instance: `${environment.POD_NAME ?? hostname()}_${randomUUID()}`,
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
  await using served = await serveMetrics({ metrics, host, port: options.metricsPort });
  logger.info(
    { release, content, api: api.server, health: health.port, metrics: served.url },
    "samples operator started",
  );
  await operator.run(signal);
}
