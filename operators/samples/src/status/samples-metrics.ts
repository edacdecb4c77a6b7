import type { Metrics } from "@keelson/base";

export interface MeasuredSamples {
  /** Streams of the catalogue. The value is true if the stream fails. The map is empty while samples are not managed. */
  readonly streams: ReadonlyMap<string, boolean>;
  readonly degraded: boolean;
  readonly invalidConfig: boolean;
  readonly missingSecret: boolean;
  readonly missingCredential: boolean;
  readonly unreachable: boolean;
}

/** Metric names. Alerts and dashboards use them. */
export const metricNames = {
  failing: "openshift_samples_failed_imagestream_import_info",
  retries: "openshift_samples_retry_imagestream_import_total",
  degraded: "openshift_samples_degraded_info",
  invalidConfig: "openshift_samples_invalidconfig_info",
  invalidSecret: "openshift_samples_invalidsecret_info",
  unreachable: "openshift_samples_tbr_inaccessible_info",
} as const;

export class SamplesMetrics {
  readonly #failing;
  readonly #retries;
  readonly #degraded;
  readonly #invalidConfig;
  readonly #invalidSecret;
  readonly #unreachable;
  #streams: ReadonlySet<string> = new Set();

  constructor(metrics: Metrics) {
    this.#failing = metrics.gauge({
      name: metricNames.failing,
      help: "1 if tags of the catalogue's imagestream cannot be imported",
      labels: ["name"],
    });
    this.#retries = metrics.counter({
      name: metricNames.retries,
      help: "Retried imports of tags",
      labels: ["imagestreamname"],
    });
    this.#degraded = metrics.gauge({
      name: metricNames.degraded,
      help: "1 if the ClusterOperator is degraded",
    });
    this.#invalidConfig = metrics.gauge({
      name: metricNames.invalidConfig,
      help: "1 if the Config is invalid",
    });
    this.#invalidSecret = metrics.gauge({
      name: metricNames.invalidSecret,
      help: "1 if required credentials are missing",
      labels: ["reason"],
    });
    this.#unreachable = metrics.gauge({
      name: metricNames.unreachable,
      help: "1 if the samples started as Removed because the registry was unreachable",
    });
  }

  retried(stream: string, tags: number): void {
    this.#retries.inc({ imagestreamname: stream }, tags);
  }

  set(samples: MeasuredSamples): void {
    for (const name of this.#streams) if (!samples.streams.has(name)) this.#failing.remove({ name });
    for (const [name, fails] of samples.streams) this.#failing.set(fails ? 1 : 0, { name });
    this.#streams = new Set(samples.streams.keys());
    this.#degraded.set(samples.degraded ? 1 : 0);
    this.#invalidConfig.set(samples.invalidConfig ? 1 : 0);
    this.#invalidSecret.set(samples.missingSecret ? 1 : 0, { reason: "missing_secret" });
    this.#invalidSecret.set(samples.missingCredential ? 1 : 0, { reason: "missing_tbr_credential" });
    this.#unreachable.set(samples.unreachable ? 1 : 0);
  }
}
