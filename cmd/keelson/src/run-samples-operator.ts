import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import process from "node:process";
import { type Logger, Metrics, messageOf, systemClock } from "@keelson/base";
import { serveHealth } from "@keelson/controller";
import { parseServingInfo } from "@keelson/operator-kit";
import { createSamplesOperator, machineRegistryAccess } from "@keelson/samples-operator";
import { buildVersion } from "./build-version.ts";
import { cliErrors } from "./cli-errors.ts";
import { connectOperator, type OperatorAccess } from "./connect-operator.ts";
import { untilFilesChange } from "./files-change.ts";
import { nodePlace } from "./node-place.ts";
import { type MetricsServerOptions, serveMetrics } from "./serve-metrics.ts";

export interface SamplesOperatorOptions extends OperatorAccess {
  readonly namespace: string;
  readonly release: string;
  /** Folder of the catalogues. */
  readonly content: string;
  /** Whether `registry.redhat.io` must be in reach for samples to begin; else it is taken to be. */
  readonly registryCheck: boolean;
  readonly host: string;
  readonly healthPort: number;
  /**
   * A GenericControllerConfig, which says how metrics are served over HTTPS. The process ends when it changes: what
   * started it starts it again.
   */
  readonly config?: string;
  /** In place of the port of the configuration; 8888 without one. */
  readonly metricsPort?: number;
  /** How soon changes of the configuration and of the certificate are noticed; 10 s when absent. */
  readonly rereadMs?: number;
  /** One of its own, with those of the process, when absent. */
  readonly metrics?: Metrics;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Runs the samples operator until the signal aborts. Rejects when it loses its lease: then the process should end. */
export async function startSamplesOperator(options: SamplesOperatorOptions): Promise<void> {
  const { content, environment, host, logger, namespace, release } = options;
  const client = {
    userAgent: `cluster-samples-operator/${buildVersion()}`,
    fieldManager: "samples-operator",
  };
  const serving = await servingOf(options);
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
  await using served = await serveMetrics({ metrics, host, ...serving });
  logger.info(
    { release, content, api: api.server, health: health.port, metrics: served.url },
    "samples operator started",
  );
  const { rereadMs: everyMs } = options;
  const files = options.config === undefined ? [] : [nodePlace(environment)(options.config)];
  const watching = untilFilesChange(files, { logger, ...(everyMs && { everyMs }) }, signal).then(() =>
    stop.abort("draining"),
  );
  try {
    await operator.run(signal);
  } finally {
    stop.abort("draining");
    await watching;
  }
}

/** Where the certificate is that the Service of the metrics asks for. */
const secretFolder = "/etc/secrets";
/** Of the original; outside of its manifests metrics are plain HTTP on a port that the user names. */
const defaultPorts = { https: 60_000, http: 8_888 };

async function servingOf(
  options: SamplesOperatorOptions,
): Promise<Pick<MetricsServerOptions, "port" | "tls"> & { readonly host?: string }> {
  const { config, environment, metricsPort, logger, rereadMs } = options;
  if (config === undefined) return { port: metricsPort ?? defaultPorts.http };
  const place = nodePlace(environment);
  const text = await readFile(place(config), "utf8").catch((error: unknown) => {
    throw cliErrors.RequestFailed(`--config ${config} cannot be read: ${messageOf(error)}`);
  });
  const { host, port, certificateFile, keyFile, ...limits } = parseServingInfo(text, config);
  const tls = {
    certificateFile: place(certificateFile ?? `${secretFolder}/tls.crt`),
    keyFile: place(keyFile ?? `${secretFolder}/tls.key`),
    ...limits,
    ...(rereadMs === undefined ? {} : { rereadMs }),
    logger,
  };
  const bound = metricsPort ?? port ?? defaultPorts.https;
  return { ...(host === undefined ? {} : { host }), port: bound, tls };
}
