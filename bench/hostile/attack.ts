import { setTimeout as delay } from "node:timers/promises";
import type { HostileCall, HostileCase, HostileClient } from "@keelson/apiserver/testing";

/** Sends the requests of hostile cases repeatedly. Each case uses separate connections. */
export class Attack {
  readonly #stopped = new AbortController();
  readonly #codes = new Map<number | string, number>();
  /**
   * Unexpected responses by case and status code. Each entry contains the number of responses and the body of the first response.
   */
  readonly #unexpected = new Map<string, { count: number; readonly text: string }>();
  readonly #running: Promise<unknown>;

  constructor(client: HostileClient, cases: readonly HostileCase[], connections: number) {
    const loops = cases.flatMap((each) =>
      Array.from({ length: connections }, () => this.#repeat(client, each)),
    );
    this.#running = Promise.all(loops);
  }

  /** Ends the attack and returns the number of responses by code. */
  async end(): Promise<string> {
    this.#stopped.abort();
    await this.#running;
    const counts = [...this.#codes].sort(([a], [b]) => String(a).localeCompare(String(b)));
    const text = counts.map(([code, count]) => `${code}: ${count}`).join(", ");
    const unexpected = [...this.#unexpected].map(([what, { count, text }]) => `${what} (${count}): ${text}`);
    return [text, ...unexpected].join("\n  ");
  }

  async #repeat(client: HostileClient, each: HostileCase): Promise<void> {
    const calls = each.calls();
    while (!this.#stopped.signal.aborted) {
      for (const { codes, ...call } of calls) {
        if (this.#stopped.signal.aborted) return;
        try {
          const { code, text } = await client.call(call);
          this.#count(code);
          if (!codes.includes(code)) this.#name(`unexpected ${code}`, each, call, text);
          if (code === 429) await delay(50);
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          this.#count(message.slice(0, 40));
          this.#name("no answer", each, call, message);
          await delay(50);
        }
      }
    }
  }

  #name(what: string, { name }: HostileCase, { method = "GET", path }: HostileCall, text: string): void {
    const key = `${what} for ${method} ${path.slice(0, 120)} of "${name}"`;
    const known = this.#unexpected.get(key) ?? { count: 0, text: text.slice(0, 300) };
    known.count++;
    this.#unexpected.set(key, known);
  }

  #count(what: number | string): void {
    this.#codes.set(what, (this.#codes.get(what) ?? 0) + 1);
  }
}
