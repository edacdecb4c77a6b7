import { startTimeLimit } from "@keelson/base";
import {
  Http2Connection,
  type Http2ConnectionEvents,
  type Http2TlsOptions,
  type Liveness,
  timeout,
} from "./http2-connection.ts";

export interface StreamWait {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** A request that waits for a stream. */
interface Waiter {
  /** Called with a connection that has a free stream. Undefined if the server does not support HTTP/2. */
  readonly resolve: (connection: Http2Connection | undefined) => void;
  readonly reject: (error: unknown) => void;
}

const clientGo: Liveness = { silentMs: 30_000, pingTimeoutMs: 15_000 };
/**
 * Maximum number of connections per joined client. For example, two joined clients can together have twice as many connections.
 */
const maxConnections = 8;
const maxWaiters = 1_000;
/**
 * Time in ms before a second connection attempt starts while the first is still pending. The time doubles with each further
 * attempt.
 */
const slowAttemptMs = 2_000;

/**
 * HTTP/2 connections to one server, shared by all joined clients. The number of connections depends on the server's stream limit
 * and is at most 8 per client. The connections close when the last client leaves.
 */
export class Http2Connections {
  readonly #origin: URL;
  readonly #tls: Http2TlsOptions;
  readonly #liveness: Liveness;
  readonly #connections = new Set<Http2Connection>();
  /** Waiting requests in order of arrival. */
  readonly #waiters = new Set<Waiter>();
  #clients = 0;
  #isRefused = false;
  #nextAttempt: NodeJS.Timeout | undefined;

  /** @param liveness Default: the intervals of client-go */
  constructor(origin: string, tls: Http2TlsOptions, liveness = clientGo) {
    this.#origin = new URL(origin);
    this.#tls = tls;
    this.#liveness = liveness;
  }

  join(): void {
    this.#clients++;
  }

  leave(): void {
    if (--this.#clients > 0) return;
    const error = new Error("the client is closed");
    this.#rejectWaiters(error);
    for (const connection of this.#connections) connection.destroy(error);
  }

  /**
   * Reserves a stream and returns its connection. Returns undefined if the server does not support HTTP/2. `release` or the end
   * of the stream frees the reservation. Rejects with the error of a failed connection attempt, a TimeoutError, or the signal's
   * reason.
   */
  async take({ signal, timeoutMs }: StreamWait): Promise<Http2Connection | undefined> {
    if (this.#isRefused) return undefined;
    if (this.#waiters.size === 0) {
      const connection = this.#reserve();
      if (connection) return connection;
    }
    signal.throwIfAborted();
    const limit = this.#limit(maxWaiters);
    if (this.#waiters.size >= limit)
      throw new Error(`${limit} requests already wait for a connection to ${this.#origin.host}`);
    const { promise, resolve, reject } = Promise.withResolvers<Http2Connection | undefined>();
    const waiter: Waiter = { resolve, reject };
    // The waiter is removed immediately, because a stream that becomes free before the rejection arrives must not be reserved for
    // this waiter.
    const giveUp = (error: unknown) => {
      this.#waiters.delete(waiter);
      reject(error);
    };
    const abort = () => giveUp(signal.reason);
    using _timeLimit = startTimeLimit(timeoutMs, () => giveUp(timeout("no free connection", timeoutMs)));
    signal.addEventListener("abort", abort, { once: true });
    this.#waiters.add(waiter);
    this.#serve();
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  /** Assigns free streams to waiters. If waiters remain, it opens a connection. */
  #serve(): void {
    for (const waiter of this.#waiters) {
      const connection = this.#isRefused ? undefined : this.#reserve();
      if (!connection && !this.#isRefused) break;
      this.#waiters.delete(waiter);
      waiter.resolve(connection);
    }
    if (this.#waiters.size > 0) this.#connectIfUseful();
  }

  #reserve(): Http2Connection | undefined {
    for (const connection of this.#connections) if (connection.reserve()) return connection;
    return undefined;
  }

  #connectIfUseful(): void {
    const waitMs = this.#waitMs();
    if (waitMs > 0) {
      this.#scheduleAttempt(waitMs);
      return;
    }
    // Streams of a closing connection may last for minutes. If the limit is reached, the oldest closing connection is therefore
    // destroyed.
    const limit = this.#limit(maxConnections);
    if (this.#connections.size >= limit)
      [...this.#connections]
        .find((each) => each.isDraining)
        ?.destroy(new Error("the server closed the connection"));
    if (this.#connections.size >= limit) return;
    this.#connect();
    this.#scheduleAttempt(this.#waitMs());
  }

  #limit(ofClient: number): number {
    return ofClient * Math.max(1, this.#clients);
  }

  /** Returns the time in ms until a further connection attempt may start. */
  #waitMs(): number {
    const attempts = [...this.#connections].filter((each) => each.isConnecting);
    const newest = Math.max(...attempts.map(({ startedAtMs }) => startedAtMs));
    return newest + slowAttemptMs * 2 ** (attempts.length - 1) - performance.now();
  }

  #scheduleAttempt(waitMs: number): void {
    clearTimeout(this.#nextAttempt);
    this.#nextAttempt = setTimeout(() => this.#serve(), waitMs).unref();
  }

  #connect(): void {
    let isAttempt = true;
    const events: Http2ConnectionEvents = {
      opened: () => {
        isAttempt = false;
        this.#serve();
      },
      refused: () => {
        isAttempt = false;
        this.#isRefused = true;
        this.#serve();
      },
      streamsFreed: () => this.#serve(),
      closed: (error) => {
        this.#connections.delete(connection);
        if (isAttempt) this.#fail(error);
        else this.#serve();
      },
    };
    const connection = new Http2Connection(this.#origin, this.#tls, this.#liveness, events);
    this.#connections.add(connection);
  }

  /** Rejects the waiters after a failed attempt, unless a second attempt is still pending. */
  #fail(error: Error): void {
    if (![...this.#connections].some((each) => each.isConnecting)) this.#rejectWaiters(error);
  }

  #rejectWaiters(error: Error): void {
    for (const waiter of this.#waiters) waiter.reject(error);
    this.#waiters.clear();
  }
}
