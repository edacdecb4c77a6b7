import { ExportResultCode } from "@opentelemetry/core";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import type { MetricData } from "@opentelemetry/sdk-metrics";
import { type ResourceOptions, resourceAttributes } from "./resource-attributes.ts";

export interface OtlpExporterOptions extends ResourceOptions {
  readonly url: string;
}

const exportLimitMs = 10_000;

/** Sends metrics to a collector with OTLP over HTTP in JSON. Disposal shuts down the exporter. */
export class OtlpExporter implements AsyncDisposable {
  readonly #exporter: OTLPMetricExporter;
  readonly #resource;

  constructor({ url, ...resource }: OtlpExporterOptions) {
    this.#exporter = new OTLPMetricExporter({ url, timeoutMillis: exportLimitMs });
    this.#resource = resourceFromAttributes(resourceAttributes(resource));
  }

  /**
   * Sends the metrics. Resolves when the collector has accepted them. Retries for ten seconds if the collector is overloaded.
   * @throws Error if the collector does not accept the metrics
   */
  async export(metrics: MetricData[]): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const scopeMetrics = [{ scope: { name: "keelson" }, metrics }];
    this.#exporter.export({ resource: this.#resource, scopeMetrics }, ({ code, error }) =>
      code === ExportResultCode.SUCCESS
        ? resolve()
        : reject(error ?? new Error("the collector did not accept the metrics")),
    );
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#exporter.shutdown().catch(() => undefined);
  }
}
