import { randomUUID } from "node:crypto";
import type { Clock } from "@keelson/base";
import { type SettingsStores, settingsIn, type WorldSettings } from "./world-settings.ts";

/** Maximum duration in milliseconds of a request that waits for a change. */
const pollMs = 20_000;
/** Maximum time in milliseconds until a change is confirmed. A process that is down must not delay clients. */
const confirmMs = 2_000;

/** Sends the settings of the first process to all other processes, which wait for changes. */
export class SettingsFeed {
  readonly #stores: SettingsStores;
  readonly #clock: Clock;
  /** Random prefix of revisions. After a restart of the process, revisions differ from those before the restart. */
  readonly #run = randomUUID().slice(0, 8);
  #number = 0;
  /** Processes that are connected. */
  readonly #connected = new Set<string>();
  /** Aborted after each change, which ends the waits of all requests. */
  #change = new AbortController();
  /** Functions that are called when a process has applied the current revision. */
  readonly #confirmations = new Set<(process: string) => void>();

  constructor(stores: SettingsStores, clock: Clock) {
    this.#stores = stores;
    this.#clock = clock;
  }

  get revision(): string {
    return `${this.#run}-${this.#number}`;
  }

  /**
   * Returns the settings as soon as their revision differs from `known`, the revision that the process has applied. Returns the
   * unchanged settings after 20 seconds. An abort means that the process has disconnected.
   */
  async next(process: string, known: string | null, signal: AbortSignal): Promise<WorldSettings> {
    this.#connected.add(process);
    if (known === this.revision) {
      for (const confirm of this.#confirmations) confirm(process);
      await this.#clock.sleep(pollMs, AbortSignal.any([signal, this.#change.signal])).catch(() => undefined);
      if (signal.aborted) this.#connected.delete(process);
    }
    return settingsIn(this.#stores, this.revision);
  }

  /** Publishes changed settings. Resolves when the connected processes have applied them, at the latest after two seconds. */
  async changed(): Promise<void> {
    this.#number += 1;
    const pending = new Set(this.#connected);
    const confirmed = new AbortController();
    const confirm = (process: string) => {
      if (pending.delete(process) && pending.size === 0) confirmed.abort();
    };
    this.#confirmations.add(confirm);
    this.#change.abort();
    this.#change = new AbortController();
    if (pending.size > 0) await this.#clock.sleep(confirmMs, confirmed.signal).catch(() => undefined);
    this.#confirmations.delete(confirm);
  }
}
