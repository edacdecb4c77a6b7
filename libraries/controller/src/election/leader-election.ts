import { CallLimit, type Clock, type Logger, type Metrics, messageOf, timeLimit } from "@keelson/base";
import {
  isConflict,
  isKubeNotFound,
  type KubeApi,
  KubeError,
  type KubeObject,
  type ObjectKey,
} from "@keelson/kube";
import type { WriteHook } from "../writes/write-hooks.ts";
import { holderOf, type Lease, type LeaseHolder, leases, microTime } from "./lease-record.ts";

export interface LeaderElectionOptions {
  readonly api: Pick<KubeApi, "find" | "create" | "replace">;
  readonly lease: Required<ObjectKey>;
  /** Identity of this process, unique among all candidates of the lease. */
  readonly identity: string;
  /**
   * Pod of this process. `identity` begins with the pod's name and `_`. If an earlier container of the same pod holds the lease,
   * this process acquires it immediately, because the earlier container has stopped.
   */
  readonly pod?: string | undefined;
  /** Time in ms after the last observed renewal until a candidate may acquire the lease. Default: 137 s, as in OpenShift. */
  readonly leaseDurationMs?: number;
  /** Time in ms after the last renewal at which a leader stops. It must be shorter than `leaseDurationMs`. Default: 107 s. */
  readonly renewDeadlineMs?: number;
  /** Time in ms between attempts to acquire or renew the lease. Default: 26 s. */
  readonly retryPeriodMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics;
}

/** Election settings that a program may change. */
export type ElectionSettings = Partial<
  Pick<LeaderElectionOptions, "pod" | "leaseDurationMs" | "renewDeadlineMs" | "retryPeriodMs">
>;

const leaseType = { apiVersion: "coordination.k8s.io/v1", kind: "Lease" } as const;

/**
 * Time in ms for which shutdown waits for an in-flight lease request. Without the response, this process could not know whether
 * it holds the lease.
 */
const graceMs = 2_000;
const maxReleases = 3;

/** Pause in ms between renewal attempts of a suspended leader. */
const suspendedPauseMs = 1_000;

interface Moment {
  readonly atMs: number;
  /** Sum of all delays of this process up to `atMs`, in ms. */
  readonly lateMs: number;
}

/** True if a reachable server did not respond in time. */
function isTimeout(error: unknown): boolean {
  return error instanceof KubeError && error.code === 0 && error.reason === "Timeout";
}

/** Thrown if this process is not the leader. Such a process must not write. */
export class LeadershipLost extends Error {
  override readonly name = "LeadershipLost";
}

/**
 * Leader election on a Lease, like client-go. The last process to renew is the leader until `leaseDurationMs` has passed on the
 * candidates' clocks. Unlike in client-go, writes are fenced. `assertLeader` rejects writes after `renewDeadlineMs`, measured
 * from the send time of the last renewal. A process that was paused therefore writes nothing when it resumes, even before its own
 * timers fire.
 *
 * A leader on a slow machine does not lose the lease. Event loop delays and requests without a response extend the leader's
 * deadline by at most one `leaseDurationMs`. During the extension the leader is suspended: `isLeader` is false and fenced writes
 * wait. The leader resumes when the server accepts a renewal. The server accepts the renewal only if no second process has held
 * the lease in the meantime. A candidate extends its wait in the same way, so that a leader on the same machine can renew first.
 */
export class LeaderElection {
  readonly #options: Required<Omit<LeaderElectionOptions, "metrics" | "pod">>;
  readonly #podPrefix: string | undefined;
  readonly #status;
  /**
   * Monotonic time in ms at which the last acknowledged renewal was sent. Undefined before the first acquisition and after a loss
   * of the lease.
   */
  #renewedMs: number | undefined;
  /** Lease that this process last wrote. */
  #held: Lease | undefined;
  #seen: { readonly holder: LeaseHolder; readonly since: Moment } | undefined;
  /**
   * Moment at which the last acknowledged renewal was sent. The renewal deadline is counted from this moment. Undefined while
   * this process does not renew the lease.
   */
  #renewing: Moment | undefined;
  /** Total time in ms of requests without a response. */
  #unansweredMs = 0;
  /** Resolves when a suspended leader has either renewed or lost its lease. */
  #decided: PromiseWithResolvers<void> | undefined;
  /** True if this process may hold the lease: it has sent a lease write that the server has not rejected. */
  #mayHold = false;

  constructor({ metrics, pod, ...options }: LeaderElectionOptions) {
    this.#podPrefix = pod ? `${pod}_` : undefined;
    this.#options = { leaseDurationMs: 137_000, renewDeadlineMs: 107_000, retryPeriodMs: 26_000, ...options };
    const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = this.#options;
    if (!(retryPeriodMs < renewDeadlineMs && renewDeadlineMs < leaseDurationMs))
      throw new Error("leader election needs retryPeriodMs < renewDeadlineMs < leaseDurationMs");
    this.#status = metrics?.gauge({
      name: "leader_election_master_status",
      help: "1 for the leader of the lease, 0 for others",
      labels: ["name"],
    });
    this.#status?.set(0, { name: options.lease.name });
  }

  get identity(): string {
    return this.#options.identity;
  }

  /** Returns the lease as the subject of Events about the election. */
  get about(): KubeObject {
    return { ...leaseType, metadata: this.#options.lease };
  }

  /** True while this process may write. */
  get isLeader(): boolean {
    const { clock, renewDeadlineMs } = this.#options;
    return this.#renewedMs !== undefined && clock.monotonicMs() - this.#renewedMs < renewDeadlineMs;
  }

  /** @throws LeadershipLost */
  assertLeader(): void {
    if (!this.isLeader) throw new LeadershipLost(`${this.#options.identity} does not hold the lease`);
  }

  /**
   * Rejects writes of a process that is not the leader. While a leader is suspended, its writes wait until it has renewed or lost
   * the lease.
   */
  get fence(): WriteHook {
    return async (_, send) => {
      while (!this.isLeader && this.#renewing) {
        this.#decided ??= Promise.withResolvers();
        await this.#decided.promise;
      }
      this.assertLeader();
      return send();
    };
  }

  /**
   * Waits for the lease, runs `work` as the leader and releases the lease. If the lease is lost, the signal of `work` aborts and
   * `run` rejects with `LeadershipLost`.
   */
  async run(work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    try {
      await this.#acquire(signal);
    } catch (error) {
      // The server may have granted the lease, although this process did not receive the response.
      if (this.#mayHold) await this.#release();
      throw error;
    }
    const lost = new AbortController();
    const leading = AbortSignal.any([signal, lost.signal]);
    const ended = new AbortController();
    const renewing = this.#renew(lost, AbortSignal.any([signal, ended.signal]));
    try {
      // The signal may have aborted while the lease was acquired. Also, the process may have been paused until the lease was
      // lost.
      if (!leading.aborted) await work(leading);
      if (lost.signal.aborted) throw lost.signal.reason;
    } finally {
      ended.abort();
      await renewing;
      if (!lost.signal.aborted) await this.#release();
      this.#lose();
      this.#status?.set(0, { name: this.#options.lease.name });
    }
  }

  #lose(): void {
    this.#renewedMs = undefined;
    this.#endRenewals();
  }

  /** Stops renewing. In-flight writes may finish before the renewal deadline. A suspended leader does not write again. */
  #endRenewals(): void {
    this.#renewing = undefined;
    this.#decide();
  }

  #decide(): void {
    this.#decided?.resolve();
    this.#decided = undefined;
  }

  /** Returns the current time and the total delay up to now. */
  #moment(): Moment {
    return { atMs: this.#options.clock.monotonicMs(), lateMs: this.#lateMs };
  }

  get #lateMs(): number {
    return (this.#options.clock.lateMs?.() ?? 0) + this.#unansweredMs;
  }

  /**
   * Returns the remaining ms of a wait that began at `since`. Delays of this process since then extend the wait by at most one
   * `leaseDurationMs`.
   */
  #leftMs(since: Moment, ms: number): number {
    const extraMs = Math.min(this.#lateMs - since.lateMs, this.#options.leaseDurationMs);
    return ms + extraMs - (this.#options.clock.monotonicMs() - since.atMs);
  }

  async #acquire(signal: AbortSignal): Promise<void> {
    const { clock, identity, lease, logger, retryPeriodMs } = this.#options;
    logger.info({ lease: lease.name, identity }, "waiting for the lease");
    while (!(await this.#attempt(signal)))
      await clock.sleep(retryPeriodMs * (1 + Math.random() * 0.2), signal);
    this.#status?.set(1, { name: lease.name });
    logger.info({ lease: lease.name, identity }, "leading");
  }

  /** Renews until the signal aborts or the lease is lost. */
  async #renew(lost: AbortController, signal: AbortSignal): Promise<void> {
    const { clock, identity, lease, logger, renewDeadlineMs, retryPeriodMs } = this.#options;
    for (;;) {
      const leftMs = this.#renewing ? this.#leftMs(this.#renewing, renewDeadlineMs) : 0;
      if (leftMs <= 0) break;
      // A suspended leader retries sooner, because its writes wait for the renewal.
      const pauseMs = this.isLeader ? retryPeriodMs : suspendedPauseMs;
      await clock.sleep(Math.min(pauseMs, leftMs), signal).catch(() => undefined);
      if (!signal.aborted && this.#renewing && this.#leftMs(this.#renewing, renewDeadlineMs) > 0)
        await this.#attempt(signal).catch(() => undefined);
      if (signal.aborted) return this.#endRenewals();
    }
    this.#lose();
    logger.error({ lease: lease.name }, "the lease is lost");
    lost.abort(new LeadershipLost(`${identity} could not renew its lease in time`));
  }

  /**
   * Acquires or renews the lease if possible. Returns false if a different process holds the lease or the server did not respond.
   */
  async #attempt(signal: AbortSignal): Promise<boolean> {
    const { lease, logger, retryPeriodMs } = this.#options;
    using limit = new CallLimit(signal, retryPeriodMs, { graceMs });
    const sent = this.#moment();
    try {
      if (!(await this.#take(limit.signal))) return false;
      this.#renewedMs = sent.atMs;
      this.#renewing = sent;
      this.#decide();
      return true;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (limit.isOver || isTimeout(error)) this.#addUnanswered(sent);
      // A conflict is not logged: a concurrent candidate has acquired or renewed the lease.
      if (!isConflict(error))
        logger.warn({ lease: lease.name, error: messageOf(error) }, "the lease could not be renewed");
      return false;
    }
  }

  /**
   * Adds the duration of an attempt without a response to the total delay. Event loop delays during the attempt already count, so
   * they are subtracted.
   */
  #addUnanswered(sent: Moment): void {
    const waitedMs = this.#options.clock.monotonicMs() - sent.atMs;
    this.#unansweredMs += Math.max(0, waitedMs - (this.#lateMs - sent.lateMs));
  }

  async #take(signal: AbortSignal): Promise<boolean> {
    if (await this.#renewHeld(signal)) return true;
    const { api, identity, lease: key } = this.#options;
    const lease = await api.find(leases, key, signal);
    if (!lease) {
      const created = await this.#sent(
        api.create(leases, this.#record({ ...leaseType, metadata: key }), signal),
      );
      this.#see(created);
      this.#held = created;
      return true;
    }
    this.#see(lease);
    const { holder, since } = this.#seen ?? { holder: holderOf(lease), since: this.#moment() };
    const isOurs = holder.identity === identity;
    const isOver = this.#podPrefix !== undefined && holder.identity.startsWith(this.#podPrefix);
    const isFree = holder.identity === "" || isOver || this.#leftMs(since, holder.durationMs) <= 0;
    if (!isOurs && this.#renewing) {
      // A second process was the leader after this process. This process must therefore restart, even if the lease is free again.
      this.#lose();
      return false;
    }
    if (!isOurs && !isFree) return false;
    this.#held = await this.#sent(api.replace(leases, this.#record(lease), signal));
    this.#see(this.#held);
    return true;
  }

  /** Renews the last written lease without reading it first. Returns false if the stored lease has changed or is missing. */
  async #renewHeld(signal: AbortSignal): Promise<boolean> {
    const held = this.#held;
    if (!held) return false;
    this.#held = undefined;
    try {
      this.#held = await this.#sent(this.#options.api.replace(leases, this.#record(held), signal));
    } catch (error) {
      if (isConflict(error) || isKubeNotFound(error)) return false;
      throw error;
    }
    this.#see(this.#held);
    return true;
  }

  async #sent(write: Promise<Lease>): Promise<Lease> {
    this.#mayHold = true;
    try {
      return await write;
    } catch (error) {
      if (error instanceof KubeError && error.code > 0) this.#mayHold = false;
      throw error;
    }
  }

  /**
   * Records the local time at which this process first observed the holder's last renewal. The times in the lease are not used,
   * because clocks of other machines may be wrong.
   */
  #see(lease: Lease): void {
    const holder = holderOf(lease);
    if (this.#seen?.holder.observed === holder.observed) return;
    this.#seen = { holder, since: this.#moment() };
  }

  #record(lease: Lease): Lease {
    const { clock, identity, leaseDurationMs } = this.#options;
    const now = microTime(clock.now());
    const before = holderOf(lease);
    const isOurs = before.identity === identity;
    const isFirst = lease.spec?.leaseTransitions === undefined && before.identity === "";
    const spec = {
      ...lease.spec,
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(leaseDurationMs / 1_000),
      acquireTime: isOurs && before.acquireTime !== undefined ? before.acquireTime : now,
      renewTime: now,
      leaseTransitions: isOurs || isFirst ? before.transitions : before.transitions + 1,
    };
    return { ...lease, spec };
  }

  /** Releases the lease so that the next leader can start immediately. If the release fails, the lease expires. */
  async #release(): Promise<void> {
    const { lease, logger } = this.#options;
    const signal = timeLimit(5_000);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#giveBack(signal);
      } catch (error) {
        if (isKubeNotFound(error)) return;
        // A renewal of this process was stored between the read and the release, so the release is retried.
        if (isConflict(error) && attempt < maxReleases) continue;
        logger.warn({ lease: lease.name, error: messageOf(error) }, "the lease could not be released");
        return;
      }
    }
  }

  async #giveBack(signal: AbortSignal): Promise<void> {
    const { api, clock, identity, lease: key } = this.#options;
    const lease = await api.find(leases, key, signal);
    if (!lease || holderOf(lease).identity !== identity) return;
    const spec = {
      ...lease.spec,
      holderIdentity: "",
      leaseDurationSeconds: 1,
      renewTime: microTime(clock.now()),
    };
    await api.replace(leases, { ...lease, spec }, signal);
  }
}
