import { hostname } from "node:os";
import type { AzureRequestEvent } from "@keelson/azure";
import {
  type Clock,
  type Logger,
  type Metrics,
  messageOf,
  Statsd,
  statsdAddress,
  Tracing,
} from "@keelson/base";
import type { Tracer } from "@opentelemetry/api";
import type { TelemetryConfig } from "./telemetry-config.ts";

const processFiguresMs = 60_000;

export interface TelemetryOptions {
  readonly config: TelemetryConfig;
  readonly metrics: Metrics;
  readonly location: string;
  /** Of this build. */
  readonly version: string;
  /** Which part of the service this process is. */
  readonly service: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Disposal sends what has not been sent. */
export interface Telemetry extends AsyncDisposable {
  readonly tracing: Tracing;
  /** Counts requests to Azure. */
  readonly onAzureRequest: (event: AzureRequestEvent) => void;
  /** Counts readings of the encryption keys. */
  readonly onKeyReading: (outcome: "read" | "failed") => void;
}

/** Begins to send figures and traces where the configuration says. */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  await using stack = new AsyncDisposableStack();
  if (options.config.statsd) stack.use(startStatsd(options.config.statsd, options));
  const tracing = options.config.traces
    ? new Tracing(await startTracer(options.config.traces, options, stack))
    : new Tracing();
  const kept = stack.move();
  return {
    tracing,
    onAzureRequest: azureRequestCounter(options.metrics),
    onKeyReading: keyReadingCounter(options.metrics),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Both outcomes are there from the start, so that the first failure is seen. */
function keyReadingCounter(metrics: Metrics): Telemetry["onKeyReading"] {
  const readings = metrics.counter({
    name: "encryption_key_readings_total",
    help: "Readings of the encryption keys while running; one that failed leaves those known in force.",
    labels: ["outcome"],
  });
  for (const outcome of ["read", "failed"]) readings.inc({ outcome }, 0);
  return (outcome) => readings.inc({ outcome });
}

function azureRequestCounter(metrics: Metrics): Telemetry["onAzureRequest"] {
  const durations = metrics.histogram(
    {
      name: "client_azure_duration_seconds",
      help: "Requests to Azure, each try, by provider and status.",
      labels: ["client", "code"],
      emits: [
        { metric: "client.azure.count", value: "one" },
        { metric: "client.azure.duration", value: "milliseconds" },
      ],
    },
    [0.05, 0.1, 0.5, 1, 5, 30, 60],
  );
  const failures = metrics.counter({
    name: "client_azure_errors_total",
    help: "Requests to Azure that failed, by provider and status.",
    labels: ["client", "code"],
    emits: [{ metric: "client.azure.errors", value: "one" }],
  });
  return ({ client, code, durationMs }) => {
    durations.observe({ client, code }, durationMs / 1000);
    if (!/^[1-3]/.test(code)) failures.inc({ client, code });
  };
}

/** Source of the dimensions: Azure/ARO-RP pkg/metrics/statsd. */
function startStatsd(
  config: NonNullable<TelemetryConfig["statsd"]>,
  { metrics, location, version, service, clock, logger }: TelemetryOptions,
): AsyncDisposable {
  const statsd = new Statsd({
    address: statsdAddress(config.address),
    account: config.account,
    namespace: config.namespace,
    dimensions: { hostname: hostname(), location, service, version, ...environmentOf(config) },
    clock,
    logger,
  });
  metrics.listen((sample) => statsd.send(sample));
  const stop = new AbortController();
  const running = sendProcessFigures(statsd, metrics, clock, stop.signal).catch((error: unknown) =>
    logger.warn({ error: messageOf(error) }, "figures of the process are no longer sent"),
  );
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      await statsd[Symbol.asyncDispose]();
    },
  };
}

/** Sends figures about clusters where the configuration says; `undefined` where it says nothing. Disposal sends what is left. */
export function startClusterFigures({
  config,
  location,
  clock,
  logger,
}: Pick<TelemetryOptions, "config" | "location" | "clock" | "logger">): Statsd | undefined {
  if (!config.statsd) return undefined;
  const { address, clusters } = config.statsd;
  const dimensions = { location, ...environmentOf(config.statsd) };
  return new Statsd({ address: statsdAddress(address), ...clusters, dimensions, clock, logger });
}

function environmentOf({ environment }: NonNullable<TelemetryConfig["statsd"]>) {
  return environment === undefined ? {} : { Environment: environment };
}

async function sendProcessFigures(
  statsd: Statsd,
  metrics: Metrics,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    for (const sample of await metrics.processSamples()) statsd.send(sample);
    await clock.sleep(processFiguresMs, signal).catch(() => undefined);
  }
}

/** The OpenTelemetry SDK is loaded only where it is wanted. */
async function startTracer(
  { url, sampleRatio }: NonNullable<TelemetryConfig["traces"]>,
  { service, version, location }: TelemetryOptions,
  stack: AsyncDisposableStack,
): Promise<Tracer> {
  const { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } = await import(
    "@opentelemetry/sdk-trace"
  );
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-http");
  const { resourceFromAttributes } = await import("@opentelemetry/resources");
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": `keelson-${service}`,
      "service.version": version,
      "cloud.region": location,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  });
  stack.defer(() => provider.shutdown().catch(() => undefined));
  return provider.getTracer("keelson");
}
