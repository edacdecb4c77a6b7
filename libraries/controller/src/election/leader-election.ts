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
   * Pod of this process. `identity` begins with it and `_`. A lease of an earlier container of the pod is
   * free immediately, because that container has stopped.
   */
  readonly pod?: string | undefined;
  /** Time that candidates wait after the last renewal that they observed. Default: 137 s, as in OpenShift. */
  readonly leaseDurationMs?: number;
  /**
   * Time without a renewal after which a leader stops. Default: 107 s. Must be shorter than
   * `leaseDurationMs`.
   */
  readonly renewDeadlineMs?: number;
  /** Time between attempts. Default: 26 s. */
  readonly retryPeriodMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics;
}

/** Settings that differ between programs. */
export type ElectionSettings = Partial<
  Pick<LeaderElectionOptions, "pod" | "leaseDurationMs" | "renewDeadlineMs" | "retryPeriodMs">
>;

const leaseType = { apiVersion: "coordination.k8s.io/v1", kind: "Lease" } as const;

/** Time for an in-flight lease request to finish at shutdown. Its result would otherwise be unknown. */
const graceMs = 2_000;
const maxReleases = 3;

/** Pause between attempts of a suspended leader. */
const suspendedPauseMs = 1_000;

interface Moment {
  readonly atMs: number;
  /** Total lateness at this moment. */
  readonly lateMs: number;
}

/** True for a request that a reachable server did not respond to in time. */
function isTimeout(error: unknown): boolean {
  return error instanceof KubeError && error.code === 0 && error.reason === "Timeout";
}

/** The process is not, or no longer, the leader: nothing may be written. */
export class LeadershipLost extends Error {
  override readonly name = "LeadershipLost";
}

/**
 * Leader election on a Lease, like client-go: the last process to renew is the leader until `leaseDurationMs`
 * has passed on the clock of the candidates. Unlike client-go, writes are fenced: `assertLeader` rejects them
 * from `renewDeadlineMs` after the last renewal was sent. A paused process writes nothing when it resumes,
 * although its timers have not fired.
 *
 * A slow machine does not lose leadership. The delay of the event loop and the time of requests without a
 * response extend a wait by at most one `leaseDurationMs`. A leader then renews for longer before it is lost.
 * Meanwhile it is suspended: `isLeader` is false and fenced writes wait. A renewal that the server accepts
 * resumes it. The server accepts it only if no other process has held the lease since. A candidate also waits
 * for longer, so that a leader on the same machine can renew first.
 */
export class LeaderElection {
  readonly #options: Required<Omit<LeaderElectionOptions, "metrics" | "pod">>;
  readonly #podPrefix: string | undefined;
  readonly #status;
  /** Send time of the last acknowledged renewal. Undefined while a different process may be the leader. */
  #renewedMs: number | undefined;
  /** The lease as last written by this process. */
  #held: Lease | undefined;
  #seen: { readonly holder: LeaseHolder; readonly since: Moment } | undefined;
  /** Start of the wait for a renewal: the last one that the server acknowledged. */
  #renewing: Moment | undefined;
  /** Total time in ms of requests without a response. */
  #unansweredMs = 0;
  /** Resolves when a suspended leader has renewed its lease or lost it. */
  #decided: PromiseWithResolvers<void> | undefined;
  /** True if a write was sent and its result is unknown. */
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

  /** The lease, as Events about the election name it. */
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

  /** Refuses writes of a process that is not the leader. Writes of a suspended leader wait for its renewal. */
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
   * Waits for leadership, runs `lead` and releases the lease. If the lease is lost, the signal of `lead` aborts
   * and `run` rejects with `LeadershipLost`.
   */
  async run(lead: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    try {
      await this.#acquire(signal);
    } catch (error) {
      // The server may have granted the lease although the response was not awaited.
      if (this.#mayHold) await this.#release();
      throw error;
    }
    const lost = new AbortController();
    const leading = AbortSignal.any([signal, lost.signal]);
    const ended = new AbortController();
    const renewing = this.#renew(lost, AbortSignal.any([signal, ended.signal]));
    try {
      // The signal may have aborted during the acquisition, or a pause may have lasted until the lease was
      // lost.
      if (!leading.aborted) await lead(leading);
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

  /** Writes in flight may end before the deadline. A suspended leader writes nothing more. */
  #endRenewals(): void {
    this.#renewing = undefined;
    this.#decide();
  }

  #decide(): void {
    this.#decided?.resolve();
    this.#decided = undefined;
  }

  /** The present time, with the lateness up to it. */
  #moment(): Moment {
    return { atMs: this.#options.clock.monotonicMs(), lateMs: this.#lateMs };
  }

  get #lateMs(): number {
    return (this.#options.clock.lateMs?.() ?? 0) + this.#unansweredMs;
  }

  /** Rest of a wait of `ms` that began at `since`, extended by the lateness since then. */
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
      // A suspended leader does not wait: its writes wait for it.
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
   * Acquires or renews the lease if permitted. Returns false if a different process holds it or the server
   * did not respond.
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
      // A concurrent candidate acquired or renewed it.
      if (!isConflict(error))
        logger.warn({ lease: lease.name, error: messageOf(error) }, "the lease could not be renewed");
      return false;
    }
  }

  /** Adds the time of an attempt without a response, as far as the event loop was not late meanwhile: that is counted already. */
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
      // A second process has led since, even if it has released the lease. This process must restart.
      this.#lose();
      return false;
    }
    if (!isOurs && !isFree) return false;
    this.#held = await this.#sent(api.replace(leases, this.#record(lease), signal));
    this.#see(this.#held);
    return true;
  }

  /**
   * Renews the last written lease without reading it first. Returns false if it has changed or is missing.
   */
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

  /** Records the local time of the holder's last renewal. Clocks of other machines may be wrong. */
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

  /** Releases the lease, so that the next leader does not have to wait. If that fails, the lease expires. */
  async #release(): Promise<void> {
    const { lease, logger } = this.#options;
    const signal = timeLimit(5_000);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#giveBack(signal);
      } catch (error) {
        if (isKubeNotFound(error)) return;
        // A renewal by this process was written in between.
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
