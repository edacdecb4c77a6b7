import type { Metrics } from "@keelson/base";

const latencyBuckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Metrics of admission webhooks. They use the metric names of controller-runtime. */
export class WebhookMetrics {
  readonly #requests;
  readonly #latency;
  readonly #inFlight;
  #active = 0;

  constructor(metrics: Metrics, webhooks: readonly string[]) {
    const prefix = "controller_runtime_webhook";
    this.#requests = metrics.counter({
      name: `${prefix}_requests_total`,
      help: "Admission requests",
      labels: ["webhook", "code"],
    });
    this.#latency = metrics.histogram(
      { name: `${prefix}_latency_seconds`, help: "Length of admission requests", labels: ["webhook"] },
      latencyBuckets,
    );
    this.#inFlight = metrics.gauge({
      name: `${prefix}_requests_in_flight`,
      help: "Admission requests in process",
    });
    this.#inFlight.set(0);
    // A counter that starts with 0 lets alerts detect the first failure.
    for (const webhook of webhooks) for (const code of [200, 500]) this.#requests.inc({ webhook, code }, 0);
  }

  /** Number of in-flight requests. */
  get active(): number {
    return this.#active;
  }

  async measure<T extends { readonly code: number }>(webhook: string, serve: () => Promise<T>): Promise<T> {
    const began = performance.now();
    this.#inFlight.set(++this.#active);
    try {
      const response = await serve();
      this.#requests.inc({ webhook, code: response.code });
      return response;
    } finally {
      this.#inFlight.set(--this.#active);
      this.#latency.observe({ webhook }, (performance.now() - began) / 1_000);
    }
  }
}
