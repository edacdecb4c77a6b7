import { setTimeout as delay } from "node:timers/promises";
import { HostileClient } from "@keelson/apiserver/testing";
import { type Dispatcher, request } from "undici";

export interface QuietFigures {
  readonly requests: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** Median time from the start of a write until its watch event. */
  readonly watchP50: number;
  readonly watchP99: number;
}

const maps = "/api/v1/namespaces/default/configmaps";
/** Delay in milliseconds between two requests of each kind. */
const pauseMs = 20;

/** Cluster with a light load: reads, lists, writes and one watch. */
export class QuietCluster implements AsyncDisposable {
  readonly #client: HostileClient;
  readonly #closed = new AbortController();
  readonly #written = new Map<string, number>();
  #watching: Promise<void> | undefined;
  #watchMs: number[] = [];

  static async start(url: string, dispatcher: Dispatcher): Promise<QuietCluster> {
    const cluster = new QuietCluster(url, dispatcher);
    for (let at = 0; at < 50; at++) await cluster.#client.create(maps, mapOf(`quiet-${at}`, 0));
    await cluster.#watch(url, dispatcher);
    return cluster;
  }

  private constructor(url: string, dispatcher: Dispatcher) {
    this.#client = new HostileClient(url, dispatcher);
  }

  async measure(forMs: number): Promise<QuietFigures> {
    const until = performance.now() + forMs;
    const times: number[] = [];
    this.#watchMs = [];
    const repeat = async (one: (at: number) => Promise<void>) => {
      for (let at = 0; performance.now() < until; at++) {
        const began = performance.now();
        await one(at);
        times.push(performance.now() - began);
        await delay(pauseMs);
      }
    };
    await Promise.all([
      repeat(() => this.#expect(200, { path: `${maps}/quiet-7` })),
      repeat(() => this.#expect(200, { path: maps })),
      repeat((at) => this.#write(at)),
    ]);
    const [whole, events] = [sorted(times), sorted(this.#watchMs)];
    return {
      requests: times.length,
      p50: at(whole, 0.5),
      p99: at(whole, 0.99),
      max: at(whole, 1),
      watchP50: at(events, 0.5),
      watchP99: at(events, 0.99),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort();
    await this.#watching;
  }

  async #write(turn: number): Promise<void> {
    const body = mapOf("quiet-3", `${turn}-${performance.now()}`);
    this.#written.set(body.data.value, performance.now());
    await this.#expect(200, { method: "PUT", path: `${maps}/quiet-3`, body: JSON.stringify(body) });
  }

  async #expect(code: number, call: Parameters<HostileClient["call"]>[0]): Promise<void> {
    const response = await this.#client.call(call);
    if (response.code !== code)
      throw new Error(`the quiet cluster got ${response.code}: ${response.text.slice(0, 200)}`);
  }

  async #watch(url: string, dispatcher: Dispatcher): Promise<void> {
    const { signal } = this.#closed;
    const { body, statusCode } = await request(`${url}${maps}?watch=1`, { dispatcher, signal });
    if (statusCode !== 200) throw new Error(`the quiet cluster's watch got ${statusCode}`);
    this.#watching = this.#readEvents(body).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  async #readEvents(body: AsyncIterable<Buffer>): Promise<void> {
    let rest = "";
    for await (const chunk of body) {
      const lines = (rest + String(chunk)).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const value = /"value":"([^"]+)"/.exec(line)?.[1] ?? "";
        const began = this.#written.get(value);
        if (began !== undefined) this.#watchMs.push(performance.now() - began);
        this.#written.delete(value);
      }
    }
  }
}

function mapOf(name: string, value: unknown) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { value: String(value) } };
}

const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);

function at(values: readonly number[], share: number): number {
  return values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
}
