import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export type { Counter, Gauge, Histogram };

interface MetricSpec<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
}

/** The metrics of one process. Components get it injected; nothing registers globally. */
export class Metrics {
  readonly #registry = new Registry();

  /** Node's own figures (memory, event loop, garbage collection) as well as those made below. */
  includeProcess(): this {
    collectDefaultMetrics({ register: this.#registry });
    return this;
  }

  counter<Label extends string = never>({ name, help, labels = [] }: MetricSpec<Label>): Counter<Label> {
    return new Counter({ name, help, labelNames: [...labels], registers: [this.#registry] });
  }

  gauge<Label extends string = never>({ name, help, labels = [] }: MetricSpec<Label>): Gauge<Label> {
    return new Gauge({ name, help, labelNames: [...labels], registers: [this.#registry] });
  }

  /** `buckets` are upper bounds in the unit the name ends with. */
  histogram<Label extends string = never>(
    { name, help, labels = [] }: MetricSpec<Label>,
    buckets: readonly number[],
  ): Histogram<Label> {
    return new Histogram({
      name,
      help,
      labelNames: [...labels],
      buckets: [...buckets],
      registers: [this.#registry],
    });
  }

  /** The Prometheus text exposition. */
  async expose(): Promise<{ readonly contentType: string; readonly body: string }> {
    return { contentType: this.#registry.contentType, body: await this.#registry.metrics() };
  }
}
