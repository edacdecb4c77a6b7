import { setTimeout as delay } from "node:timers/promises";
import type { HostileCase, HostileClient } from "@keelson/apiserver/testing";

/** Sends the requests of cases, again and again, on some connections for each case. */
export class Attack {
  readonly #stopped = new AbortController();
  readonly #codes = new Map<number | string, number>();
  readonly #unexpected = new Set<string>();
  readonly #running: Promise<unknown>;

  constructor(client: HostileClient, cases: readonly HostileCase[], connections: number) {
    const loops = cases.flatMap((each) =>
      Array.from({ length: connections }, () => this.#repeat(client, each)),
    );
    this.#running = Promise.all(loops);
  }

  /** Ends it, and says what was answered how often. */
  async end(): Promise<string> {
    this.#stopped.abort();
    await this.#running;
    const counts = [...this.#codes].sort(([a], [b]) => String(a).localeCompare(String(b)));
    const text = counts.map(([code, count]) => `${code}: ${count}`).join(", ");
    return [text, ...this.#unexpected].join("; ");
  }

  async #repeat(client: HostileClient, each: HostileCase): Promise<void> {
    const calls = each.calls();
    while (!this.#stopped.signal.aborted) {
      for (const { codes, ...call } of calls) {
        if (this.#stopped.signal.aborted) return;
        try {
          const { code, text } = await client.call(call);
          this.#count(code);
          if (!codes.includes(code)) this.#unexpected.add(`unexpected ${code}: ${text.slice(0, 120)}`);
          if (code === 429) await delay(50);
        } catch (error) {
          this.#count(error instanceof Error ? error.message.slice(0, 40) : String(error));
          await delay(50);
        }
      }
    }
  }

  #count(what: number | string): void {
    this.#codes.set(what, (this.#codes.get(what) ?? 0) + 1);
  }
}
