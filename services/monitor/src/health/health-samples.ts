import type { Sample } from "@keelson/base";
import type { HealthSummary, NamedObjects } from "@keelson/model";
import type { MetricSink } from "../metrics/metric-spec.ts";

/** Maximum number of names in one list of a summary. With this limit, a summary has at most 4 KiB. */
const maxNames = 8;
const maxName = 64;

/** Computes the health of a cluster from the samples of one collection. */
export class HealthSamples implements MetricSink {
  #apiServer: number | undefined;
  #nodes = 0;
  #certificateDays: number | undefined;
  readonly #unavailableOperators = new Set<string>();
  readonly #degradedOperators = new Set<string>();
  readonly #notReadyNodes = new Set<string>();
  readonly #criticalAlerts = new Set<string>();
  readonly #warningAlerts = new Set<string>();

  send({ metric, value, dimensions }: Sample): void {
    const { name = "", type, status, severity, alert = "", nodeName = "", code } = dimensions;
    switch (metric) {
      case "apiserver.healthz.code":
        this.#apiServer = Number(code);
        break;
      case "clusteroperator.conditions":
        if (type === "Available" && status === "False") this.#unavailableOperators.add(name);
        if (type === "Degraded" && status === "True") this.#degradedOperators.add(name);
        break;
      case "node.conditions":
        if (type === "Ready") this.#notReadyNodes.add(nodeName);
        break;
      case "node.count":
        this.#nodes += value;
        break;
      case "prometheus.alerts":
      case "prometheus.targeted.alerts":
        if (severity === "critical") this.#criticalAlerts.add(alert);
        if (severity === "warning") this.#warningAlerts.add(alert);
        break;
      case "certificate.expirationdate":
        this.#certificateDays = Math.min(value, this.#certificateDays ?? value);
        break;
    }
  }

  /** Returns the health summary. Undefined if the collection ended before it checked the API server. */
  summary(): HealthSummary | undefined {
    if (this.#apiServer === undefined) return undefined;
    return {
      apiServer: this.#apiServer,
      unavailableOperators: named(this.#unavailableOperators),
      degradedOperators: named(this.#degradedOperators),
      notReadyNodes: named(this.#notReadyNodes),
      nodes: this.#nodes,
      criticalAlerts: named(this.#criticalAlerts),
      warningAlerts: named(this.#warningAlerts),
      ...(this.#certificateDays === undefined ? {} : { certificateDays: this.#certificateDays }),
    };
  }
}

/** Replaces unsafe characters in object names, so that each character needs only one byte in JSON. */
function named(all: ReadonlySet<string>): NamedObjects {
  const names = [...all].toSorted().slice(0, maxNames);
  return {
    count: all.size,
    names: names.map((name) => name.slice(0, maxName).replaceAll(/[^\w .:/-]/g, "?")),
  };
}
