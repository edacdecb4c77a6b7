import type { ResourceType } from "@keelson/apimachinery";
import type { ResourceInfo } from "../http/messages/request-info.ts";

/** Upper bounds of the duration buckets in seconds. They are a subset of kube-apiserver's bounds. */
const bounds = [0.005, 0.025, 0.1, 0.5, 1, 5, 30] as const;
const verbs: Readonly<Record<string, string>> = { create: "POST", update: "PUT" };

/** Metrics of requests with the same labels. */
export interface ServedRequests {
  /** Verb as in kube-apiserver's metrics: `GET`, `LIST`, `WATCH` and so on. */
  readonly verb: string;
  readonly code: string;
  readonly count: number;
}

interface Durations {
  count: number;
  sumSeconds: number;
  /** Number of requests in each bucket. The numbers are not cumulative. */
  readonly buckets: number[];
}

/** Counts requests and measures durations. The metric names are kube-apiserver's. */
export class RequestMetrics {
  readonly #totals = new Map<string, number>();
  readonly #durations = new Map<string, Durations>();
  readonly #watches = new Map<string, number>();

  /**
   * Counts the start of a request. Returns a function that the caller must call at the end of the request. Open watches count as
   * running requests.
   */
  begin(type: ResourceType, info: ResourceInfo): (code: number) => void {
    const start = performance.now();
    const labels = labelsOf(type, info);
    const { verb } = info;
    if (verb === "watch") add(this.#watches, labels, 1);
    return (code) => {
      add(this.#totals, `${labels},code="${code}"`, 1);
      if (verb === "watch") add(this.#watches, labels, -1);
      else this.#observe(labels, (performance.now() - start) / 1_000);
    };
  }

  /** Returns totals by verb and code. */
  served(): readonly ServedRequests[] {
    const totals = new Map<string, number>();
    for (const [labels, count] of this.#totals) {
      const [, verb = ""] = /^verb="([^"]*)"/.exec(labels) ?? [];
      const [, code = ""] = /code="(\d+)"$/.exec(labels) ?? [];
      add(totals, `${verb} ${code}`, count);
    }
    return [...totals].map(([key, count]) => {
      const [verb = "", code = ""] = key.split(" ");
      return { verb, code, count };
    });
  }

  /** Serializes the metrics in the Prometheus text format. */
  render(): string {
    return [
      family(
        "apiserver_request_total",
        "counter",
        "Completed requests by verb, resource and status code.",
        this.#totals,
      ),
      family(
        "apiserver_longrunning_requests",
        "gauge",
        "Open watches.",
        new Map([...this.#watches].filter(([, count]) => count > 0)),
      ),
      this.#renderDurations(),
    ].join("");
  }

  #observe(labels: string, seconds: number): void {
    let durations = this.#durations.get(labels);
    if (!durations) {
      durations = { count: 0, sumSeconds: 0, buckets: bounds.map(() => 0) };
      this.#durations.set(labels, durations);
    }
    durations.count++;
    durations.sumSeconds += seconds;
    const at = bounds.findIndex((bound) => seconds <= bound);
    if (at >= 0) durations.buckets[at] = (durations.buckets[at] ?? 0) + 1;
  }

  #renderDurations(): string {
    const name = "apiserver_request_duration_seconds";
    const lines = [...this.#durations].flatMap(([labels, { count, sumSeconds, buckets }]) => {
      let below = 0;
      const cumulative = bounds.map((bound, at) => {
        below += buckets[at] ?? 0;
        return `${name}_bucket{${labels},le="${bound}"} ${below}\n`;
      });
      return [
        ...cumulative,
        `${name}_bucket{${labels},le="+Inf"} ${count}\n`,
        `${name}_sum{${labels}} ${sumSeconds}\n`,
        `${name}_count{${labels}} ${count}\n`,
      ];
    });
    return `# HELP ${name} How long requests took; watches are left out.\n# TYPE ${name} histogram\n${lines.join("")}`;
  }
}

/**
 * Returns the labels of a request. Only known names become labels, because clients could otherwise create any number of label
 * values.
 */
function labelsOf(
  { group, version, plural, subresources }: ResourceType,
  { verb, namespace, name, subresource: asked }: ResourceInfo,
): string {
  const subresource = subresources.find((each) => each === asked) ?? "";
  const scope = name !== undefined ? "resource" : namespace !== undefined ? "namespace" : "cluster";
  const shown = verbs[verb] ?? verb.toUpperCase();
  return `verb="${shown}",group="${group}",version="${version}",resource="${plural}",subresource="${subresource}",scope="${scope}"`;
}

function add(values: Map<string, number>, labels: string, change: number): void {
  values.set(labels, (values.get(labels) ?? 0) + change);
}

function family(name: string, type: string, help: string, values: ReadonlyMap<string, number>): string {
  const lines = [...values].map(([labels, value]) => `${name}{${labels}} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}
