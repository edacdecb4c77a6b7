import type { LogicalCluster, ServedRequests } from "@keelson/apiserver";
import type { Clock } from "@keelson/base";

interface Reading {
  readonly ms: number;
  readonly totals: ReadonlyMap<string, number>;
}

const apartMs = 30_000;
const mostReadings = 240;

/**
 * History of the number of requests that a cluster's API server has served. Each query of the metrics adds a reading, so a
 * cluster that is not queried needs no resources. Values between two readings are interpolated linearly.
 */
export class ServedRequestHistory {
  readonly #logical: LogicalCluster;
  readonly #clock: Clock;
  #readings: readonly Reading[] = [];

  constructor(logical: LogicalCluster, clock: Clock) {
    this.#logical = logical;
    this.#clock = clock;
  }

  read(): readonly { readonly verb: string; readonly code: string; at(ms: number): number }[] {
    const served = this.#logical.servedRequests();
    this.#keep(served);
    const readings = this.#readings;
    return served.map(({ verb, code }) => ({
      verb,
      code,
      at: (ms) => totalAt(readings, keyOf({ verb, code }), ms),
    }));
  }

  #keep(served: readonly ServedRequests[]): void {
    const ms = this.#clock.now().getTime();
    const last = this.#readings.at(-1);
    if (last && ms - last.ms < apartMs) return;
    const totals = new Map(served.map((each) => [keyOf(each), each.count]));
    this.#readings = [...this.#readings.slice(1 - mostReadings), { ms, totals }];
  }
}

/**
 * Returns the number of requests at a time. Before the first reading, the number is constant, so earlier requests do not affect
 * rates.
 */
function totalAt(readings: readonly Reading[], key: string, ms: number): number {
  const next = readings.findIndex((reading) => reading.ms > ms);
  const before = readings[next === -1 ? readings.length - 1 : next - 1];
  const after = next === -1 ? undefined : readings[next];
  const from = before?.totals.get(key) ?? (before ? 0 : (after?.totals.get(key) ?? 0));
  if (!before || !after) return from;
  const to = after.totals.get(key) ?? from;
  return from + ((to - from) * (ms - before.ms)) / (after.ms - before.ms);
}

function keyOf({ verb, code }: Pick<ServedRequests, "verb" | "code">): string {
  return `${verb} ${code}`;
}
