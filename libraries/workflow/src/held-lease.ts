import { type Clock, type Logger, messageOf, processCpuMs, withTimeout } from "@keelson/base";
import type { Document, Lease, Leased, LeasedCollection } from "@keelson/database";
import { workflowErrors } from "./errors.ts";
import type { LeaseGuard } from "./lease-guard.ts";

export interface HeldLeaseOptions<T extends Document> {
  readonly collection: Pick<LeasedCollection<T>, "renew">;
  readonly leased: Leased<T>;
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  /** Value of `monotonicMs` before the acquisition was requested. */
  readonly askedAtMs: number;
  /**
   * Called when the lease is lost. `isOwnFault` is true if this process used at least half a core since the last renewal, so that
   * its own work prevented the renewal.
   */
  readonly onLost?: ((isOwnFault: boolean) => void) | undefined;
  /** Attempts that do not count, see `LeaseGuard`. Default: none. */
  readonly survivedLosses?: readonly number[] | undefined;
  /** Returns the CPU time of this process in milliseconds. Default: the time that the operating system reports. */
  readonly cpuMs?: () => number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Lease with automatic renewal. A failed renewal is retried until the deadline. The deadline is measured from the moment before
 * the last successful renewal was requested. This worker therefore treats the lease as expired before the database does, even if
 * the clocks differ.
 *
 * States: held, then lost (reported by the database or after the deadline) or stopped (by its owner).
 */
export class HeldLease<T extends Document> implements LeaseGuard, AsyncDisposable {
  readonly attempt: number;
  readonly survivedLosses: readonly number[];
  readonly #options: HeldLeaseOptions<T>;
  readonly #lost = new AbortController();
  readonly #stop = new AbortController();
  #lease: Lease;
  #deadlineMs: number;
  #renewed: Usage;
  #heartbeat: Promise<void> = Promise.resolve();

  constructor(options: HeldLeaseOptions<T>) {
    this.#options = options;
    this.attempt = options.leased.attempt;
    this.survivedLosses = options.survivedLosses ?? [];
    this.#lease = options.leased.lease;
    this.#deadlineMs = options.askedAtMs + options.leaseMs;
    this.#renewed = this.#usage();
  }

  /** Starts to renew the lease. */
  start(): this {
    this.#heartbeat = this.#beat();
    return this;
  }

  get lease(): Lease {
    return this.#lease;
  }

  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  assertHeld(): void {
    if (this.#options.clock.monotonicMs() >= this.#deadlineMs) this.#lose("its deadline has passed");
    this.#lost.signal.throwIfAborted();
  }

  /** Stops renewing the lease. The lease lasts until it is released or expires. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#heartbeat;
  }

  async #beat(): Promise<void> {
    const { clock, heartbeatMs, logger } = this.#options;
    const signal = AbortSignal.any([this.#stop.signal, this.#lost.signal]);
    while (!signal.aborted) {
      const leftMs = this.#deadlineMs - clock.monotonicMs();
      await clock.sleep(Math.max(0, Math.min(heartbeatMs, leftMs)), signal).catch(() => undefined);
      if (signal.aborted) return;
      try {
        this.assertHeld();
        await this.#renew(signal);
      } catch (error) {
        if (!signal.aborted) logger.warn({ error: messageOf(error) }, "lease could not be renewed");
      }
    }
  }

  async #renew(signal: AbortSignal): Promise<void> {
    const { clock, collection, leaseMs, heartbeatMs } = this.#options;
    const askedAtMs = clock.monotonicMs();
    const limitMs = Math.min(heartbeatMs, this.#deadlineMs - askedAtMs);
    const result = await collection.renew(this.#lease, leaseMs, withTimeout(signal, limitMs));
    if (result.kind === "lost") {
      this.#lose("the database granted it to a different owner");
      return;
    }
    this.#lease = result.lease;
    this.#deadlineMs = askedAtMs + leaseMs;
    this.#renewed = this.#usage();
  }

  #usage(): Usage {
    const { clock, cpuMs = processCpuMs } = this.#options;
    return { monotonicMs: clock.monotonicMs(), wallMs: clock.now().getTime(), cpuMs: cpuMs() };
  }

  #isOwnFault(): boolean {
    const [before, now] = [this.#renewed, this.#usage()];
    // Linux's monotonic clock stands still while the machine is suspended, so the larger of the two differences is used.
    const passedMs = Math.max(now.monotonicMs - before.monotonicMs, now.wallMs - before.wallMs);
    return now.cpuMs - before.cpuMs >= passedMs / 2;
  }

  #lose(why: string): void {
    if (this.#lost.signal.aborted) return;
    this.#options.onLost?.(this.#isOwnFault());
    this.#lost.abort(workflowErrors.LeaseLost(`the lease on ${this.#lease.id} was lost: ${why}`));
  }
}

interface Usage {
  readonly monotonicMs: number;
  readonly wallMs: number;
  readonly cpuMs: number;
}
