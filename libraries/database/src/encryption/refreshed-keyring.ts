import { type Clock, type Logger, messageOf } from "@keelson/base";
import type { KeySet, KeySource } from "./key-source.ts";
import { checkedKeys, type Keyring } from "./keyring.ts";

export interface RefreshedKeyringOptions {
  readonly source: KeySource;
  readonly everyMs: number;
  /** Called after every read except the first. */
  readonly onReading?: (outcome: "read" | "failed") => void;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Stops the first read. Later reads end with the disposal. */
  readonly signal: AbortSignal;
}

/** Minimum time between reads of the source for missing keys. */
const missingKeyMs = 10_000;

/**
 * A keyring that reads its source every `everyMs`, and when a key is missing. If the source fails or is invalid, the
 * keys stay as they are, with a log line. Keys that the source no longer has are dropped.
 */
export class RefreshedKeyring implements Keyring, AsyncDisposable {
  readonly #options: RefreshedKeyringOptions;
  readonly #stop = new AbortController();
  #current: string;
  #keys: ReadonlyMap<string, Uint8Array>;
  #following: Promise<void> | undefined;
  #reading: Promise<void> | undefined;
  #readAtMs: number;

  /** @throws InvalidKey, and the errors of the source */
  static async open(options: RefreshedKeyringOptions): Promise<RefreshedKeyring> {
    const keyring = new RefreshedKeyring(options, await options.source.read(options.signal));
    keyring.#following = keyring.#follow();
    return keyring;
  }

  private constructor(options: RefreshedKeyringOptions, set: KeySet) {
    this.#options = options;
    this.#keys = checkedKeys(set);
    this.#current = set.current;
    this.#readAtMs = options.clock.monotonicMs();
  }

  currentKeyId(): string {
    return this.#current;
  }

  /** A missing key starts a read of the source; the caller may try again. */
  key(id: string): Uint8Array | undefined {
    const key = this.#keys.get(id);
    const { signal } = this.#stop;
    const isDue = this.#options.clock.monotonicMs() - this.#readAtMs >= missingKeyMs;
    if (!key && isDue && !signal.aborted) void this.refresh(signal);
    return key;
  }

  /** Reads the source now, or waits for a read in progress. */
  refresh(signal: AbortSignal): Promise<void> {
    this.#reading ??= this.#read(signal).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { source, logger, clock, onReading } = this.#options;
    this.#readAtMs = clock.monotonicMs();
    try {
      const set = await source.read(signal);
      const keys = checkedKeys(set);
      const changed = set.current !== this.#current || sameIds(keys, this.#keys) === false;
      // Unchanged keys keep their arrays, which identify prepared keys in a cache.
      this.#keys = new Map([...keys].map(([id, key]) => [id, kept(this.#keys.get(id), key)]));
      this.#current = set.current;
      if (changed)
        logger.info({ current: set.current, keys: [...keys.keys()] }, "encryption keys have changed");
      onReading?.("read");
    } catch (error) {
      if (signal.aborted) return;
      onReading?.("failed");
      const { name } = source;
      logger.error(
        { source: name, reason: messageOf(error) },
        "encryption keys cannot be read; those known stay in force",
      );
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#following;
    await this.#reading;
  }

  async #follow(): Promise<void> {
    const { clock, everyMs } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await clock.sleep(everyMs, signal).catch(() => undefined);
      if (!signal.aborted) await this.refresh(signal);
    }
  }
}

function sameIds(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean {
  return a.size === b.size && [...a.keys()].every((id) => b.has(id));
}

function kept(before: Uint8Array | undefined, now: Uint8Array): Uint8Array {
  return before && Buffer.from(before).equals(now) ? before : now;
}
