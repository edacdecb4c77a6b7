import { hostname } from "node:os";
import type { AzureRequestEvent } from "@keelson/azure";
import {
  type Clock,
  type Logger,
  type Metrics,
  messageOf,
  type Sample,
  Statsd,
  statsdAddress,
  Tracing,
} from "@keelson/base";
import type { Tracer } from "@opentelemetry/api";
import type { TelemetryConfig } from "./config/telemetry-config.ts";
import { resourceAttributes } from "./otlp/resource-attributes.ts";

const processFiguresMs = 60_000;

export interface TelemetryOptions {
  readonly config: TelemetryConfig;
  readonly metrics: Metrics;
  readonly location: string;
  /** Version of this build. */
  readonly version: string;
  /** Role of this process. */
  readonly service: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Telemetry of a process. Disposal sends the queued samples. */
export interface Telemetry extends AsyncDisposable {
  readonly tracing: Tracing;
  /** Counts a request to Azure. */
  readonly onAzureRequest: (event: AzureRequestEvent) => void;
  /** Counts a read of the encryption keys. */
  readonly onKeyReading: (outcome: "read" | "failed") => void;
  /** Counts samples that could not be sent. */
  readonly onDropped: (sink: Sink, count: number) => void;
}

type Sink = "statsd" | "otlp";

/** Starts the configured exporters of metrics and traces. */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  await using stack = new AsyncDisposableStack();
  const onDropped = droppedCounter(options.metrics);
  if (options.config.statsd) stack.use(startStatsd(options.config.statsd, options, onDropped));
  if (options.config.metrics) await startOtlp(options.config.metrics, options, { stack, onDropped });
  const tracing = options.config.traces
    ? new Tracing(await startTracer(options.config.traces, options, stack))
    : new Tracing();
  const kept = stack.move();
  return {
    tracing,
    onAzureRequest: azureRequestCounter(options.metrics),
    onKeyReading: keyReadingCounter(options.metrics),
    onDropped,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function droppedCounter(metrics: Metrics): Telemetry["onDropped"] {
  const dropped = metrics.counter({
    name: "telemetry_samples_dropped_total",
    help: "Samples that were dropped because the receiver was too slow or unreachable.",
    labels: ["sink"],
  });
  for (const sink of ["statsd", "otlp"]) dropped.inc({ sink }, 0);
  return (sink, count) => dropped.inc({ sink }, count);
}

/** Creates a counter. Both outcomes start at 0, so that alerts detect the first failure. */
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

/** Starts the statsd exporter. The exporter uses the same dimensions as Azure/ARO-RP pkg/metrics/statsd. */
function startStatsd(
  config: NonNullable<TelemetryConfig["statsd"]>,
  { metrics, location, version, service, clock, logger }: TelemetryOptions,
  onDropped: Telemetry["onDropped"],
): AsyncDisposable {
  const statsd = new Statsd({
    address: statsdAddress(config.address),
    format: config.format,
    account: config.account,
    namespace: config.namespace,
    dimensions: { hostname: hostname(), location, service, version, ...environmentOf(config) },
    onDropped: (count) => onDropped("statsd", count),
    clock,
    logger,
  });
  metrics.listen((sample) => statsd.send(sample));
  const stop = new AbortController();
  const running = sendProcessFigures(statsd, metrics, clock, stop.signal).catch((error: unknown) =>
    logger.warn({ error: messageOf(error) }, "metrics of the process are no longer sent"),
  );
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      await statsd[Symbol.asyncDispose]();
    },
  };
}

interface OtlpLifetime {
  readonly stack: AsyncDisposableStack;
  readonly onDropped: Telemetry["onDropped"];
}

/** Starts the OTLP exporters. The OpenTelemetry SDK is imported only if an OTLP exporter is configured. */
async function startOtlp(
  { url, environment }: NonNullable<TelemetryConfig["metrics"]>,
  { metrics, service, version, location, clock, logger }: TelemetryOptions,
  { stack, onDropped }: OtlpLifetime,
): Promise<void> {
  const { OtlpExporter } = await import("./otlp/otlp-exporter.ts");
  const { sendFamilies } = await import("./otlp/otlp-families.ts");
  const exporter = stack.use(new OtlpExporter({ url, service, version, location, environment }));
  const stop = new AbortController();
  const dropped = (count: number) => onDropped("otlp", count);
  const running = sendFamilies({ metrics, exporter, onDropped: dropped, clock, logger }, stop.signal).catch(
    (error: unknown) => logger.warn({ error: messageOf(error) }, "metrics are no longer sent"),
  );
  stack.defer(async () => {
    stop.abort();
    await running;
  });
}

export interface ClusterFiguresOptions
  extends Omit<TelemetryOptions, "metrics">,
    Pick<Telemetry, "onDropped"> {}

/** Sends cluster metrics. Callers are not blocked. */
export interface ClusterFigures extends AsyncDisposable {
  send(sample: Sample): void;
}

/** Starts the configured exporters of cluster metrics. Disposal sends the remaining samples. */
export async function startClusterFigures(options: ClusterFiguresOptions): Promise<ClusterFigures> {
  const { config, location, onDropped, clock, logger } = options;
  await using stack = new AsyncDisposableStack();
  const sinks: Pick<ClusterFigures, "send">[] = [];
  if (config.statsd) {
    const { address, format, clusters } = config.statsd;
    const statsd = new Statsd({
      address: statsdAddress(address),
      format,
      ...clusters,
      dimensions: { location, ...environmentOf(config.statsd) },
      onDropped: (count) => onDropped("statsd", count),
      clock,
      logger,
    });
    sinks.push(stack.use(statsd));
  }
  if (config.metrics) {
    const { OtlpExporter } = await import("./otlp/otlp-exporter.ts");
    const { OtlpSamples } = await import("./otlp/otlp-samples.ts");
    const { clusters: url = config.metrics.url, environment } = config.metrics;
    const exporter = stack.use(new OtlpExporter({ ...options, url, environment }));
    const dropped = (count: number) => onDropped("otlp", count);
    sinks.push(stack.use(new OtlpSamples({ exporter, onDropped: dropped, clock, logger })));
  }
  const kept = stack.move();
  return {
    send(sample) {
      for (const sink of sinks) sink.send(sample);
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
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

/** Starts the tracer. The OpenTelemetry SDK is imported only if tracing is configured. */
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
    resource: resourceFromAttributes(resourceAttributes({ service, version, location })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  });
  stack.defer(() => provider.shutdown().catch(() => undefined));
  return provider.getTracer("keelson");
}
