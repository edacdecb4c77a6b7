/**
 * Counts the monitor's scrapes of each cluster. A changed value of the metric for a collector's duration indicates a new scrape.
 */
export class ScrapeCounts {
  readonly #last = new Map<string, string>();
  readonly #counts: Map<string, number>;

  constructor(names: readonly string[]) {
    this.#counts = new Map(names.map((name) => [name, 0]));
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** Reads the monitor's metrics and counts the clusters that were scraped since the previous call. */
  read(exposition: string): void {
    for (const line of exposition.split("\n")) {
      if (!line.startsWith("monitor_cluster_collector_duration{") || !line.includes('"emitNodeConditions"'))
        continue;
      const name = /openshiftclusters\/([^"]+)"/i.exec(line)?.[1] ?? "";
      const value = line.slice(line.lastIndexOf("}") + 1);
      const before = this.#last.get(name);
      this.#last.set(name, value);
      const count = this.#counts.get(name);
      if (count !== undefined && before !== undefined && before !== value) this.#counts.set(name, count + 1);
    }
  }
}
