import { type Clock, type Logger, messageOf, poll } from "@keelson/base";
import type { KeySet, KeySource } from "./key-source.ts";
import { checkedKeys, type Keyring } from "./keyring.ts";

export interface RefreshedKeyringOptions {
  readonly source: KeySource;
  readonly everyMs: number;
  /** Called after each read except the first. */
  readonly onReading?: (outcome: "read" | "failed") => void;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Aborts the first read. Disposal aborts later reads. */
  readonly signal: AbortSignal;
}

/** Minimum time in ms between reads that are triggered by a missing key. */
const missingKeyMs = 10_000;

/**
 * Keyring that reads its source every `everyMs`, and when a key is missing. If the source fails or is invalid, the error is
 * logged and the keys do not change. Keys that were removed from the source are removed from the keyring.
 */
export class RefreshedKeyring implements Keyring, AsyncDisposable {
  readonly #options: RefreshedKeyringOptions;
  readonly #stop = new AbortController();
  #current: string;
  #keys: ReadonlyMap<string, Uint8Array>;
  #following: Promise<void> | undefined;
  #reading: Promise<void> | undefined;
  #readAtMs: number;

  /** Opens the keyring and reads its source. @throws InvalidKey, and the errors of the source */
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

  /** Returns a key. If it is missing, triggers a read of the source and returns `undefined`. The caller may retry later. */
  key(id: string): Uint8Array | undefined {
    const key = this.#keys.get(id);
    const { signal } = this.#stop;
    const isDue = this.#options.clock.monotonicMs() - this.#readAtMs >= missingKeyMs;
    if (!key && isDue && !signal.aborted) void this.refresh(signal);
    return key;
  }

  /** Reads the source immediately. If a read is active, waits for it. */
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
      // Unchanged keys keep their `Uint8Array` objects, because a cache finds prepared keys by object identity.
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

  #follow(): Promise<void> {
    const { clock, everyMs, logger } = this.#options;
    const { signal } = this.#stop;
    // `refresh` does not throw if the read of the source fails. Only the callback `onReading` can cause an error here.
    const onError = (error: unknown) =>
      logger.error({ reason: messageOf(error) }, "encryption keys were not read again");
    return poll({ everyMs, clock, signal, onError }, () => this.refresh(signal));
  }
}

function sameIds(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean {
  return a.size === b.size && [...a.keys()].every((id) => b.has(id));
}

function kept(before: Uint8Array | undefined, now: Uint8Array): Uint8Array {
  return before && Buffer.from(before).equals(now) ? before : now;
}
