import { extname } from "node:path";
import { type Clock, type Counter, FairThreads, type Metrics, systemClock } from "@keelson/base";
import { CpuAllowance } from "./cpu-allowance.ts";
import type { ProjectionTask, ThreadReply } from "./projection-task.ts";
import type { ResponseLimit } from "./response-limits.ts";

/** Counter of exceeded limits. Every process that reads clusters exports it. */
export const limitExceededMetric = {
  name: "monitor_cluster_limit_exceeded_total",
  help: "Responses of a cluster that exceeded a limit, by the reader that asked for them.",
  labels: ["resourceId", "reader", "limit"],
} as const;

export interface ClusterResponsesOptions {
  readonly clock?: Clock;
  readonly metrics?: Metrics;
  /** Number of worker threads for large responses. Default: 2. */
  readonly threads?: number;
}

/** Maximum worker time in ms for one response. The largest permitted response uses a tenth of this time. */
const cpuMs = 2_000;
const stalledMs = 60_000;
const idleMs = 30_000;
const memoryMb = 256;
/** Maximum number of large responses of one cluster that are processed concurrently. */
const largeAtOnce = 2;
const maxClusters = 10_000;
const reportedMs = 3_600_000;

interface TimedLimit extends ExceededLimit {
  readonly atMs: number;
}

/** State for one cluster and one reader. All clients with this cluster and this reader share it. */
export interface ClusterState {
  readonly allowance: CpuAllowance;
  /** Number of large responses in memory. */
  large: number;
  readonly waiting: (() => void)[];
}

export interface ExceededLimit {
  readonly reader: string;
  readonly limit: ResponseLimit;
}

/**
 * Parses responses of clusters for all clients of a process. All clusters share the worker threads fairly. Each cluster has a CPU
 * allowance. The threads start with the first large response and stop when they are idle.
 */
export class ClusterResponses implements AsyncDisposable {
  readonly clock: Clock;
  readonly #threads: FairThreads<ProjectionTask, ThreadReply>;
  readonly #counter: Counter<(typeof limitExceededMetric.labels)[number]> | undefined;
  /** Exceeded limits by resource ID of the cluster. The cluster that most recently exceeded a limit is last. */
  readonly #exceeded = new Map<string, Map<string, TimedLimit>>();
  readonly #states = new Map<string, ClusterState>();

  constructor({ clock = systemClock, metrics, threads = 2 }: ClusterResponsesOptions = {}) {
    this.clock = clock;
    this.#counter = metrics?.counter({
      ...limitExceededMetric,
      emits: [{ metric: "monitor.cluster.limit.exceeded", value: "one" }],
    });
    const options = {
      script: new URL(`./projection-thread${extname(import.meta.url)}`, import.meta.url),
      name: "responses",
      threads,
      threadsPerOwner: 1,
      cpuMs,
      stalledMs,
      memoryMb,
      idleMs,
    };
    this.#threads = new FairThreads(options, undefined, ({ usedMs }) => usedMs);
  }

  /** Returns the state for one reader of a cluster. The cluster is identified by its resource ID or its server. */
  stateOf(cluster: string, reader: string): ClusterState {
    const key = `${reader} ${cluster}`;
    const known = this.#states.get(key);
    if (known) return known;
    if (this.#states.size >= maxClusters) this.#forgetOldest();
    const state: ClusterState = {
      allowance: new CpuAllowance(this.clock),
      large: 0,
      waiting: [],
    };
    this.#states.set(key, state);
    return state;
  }

  /** Projects a response in a worker thread. The memory of `task` is transferred to the thread. */
  project(state: ClusterState, task: ProjectionTask) {
    return this.#threads.run(state, task, [task.bytes.buffer]);
  }

  /**
   * Waits until the cluster has fewer than the maximum number of large responses in memory. Returns a function that releases the
   * slot.
   */
  async beginLarge(state: ClusterState): Promise<() => void> {
    if (state.large >= largeAtOnce) await new Promise<void>((resolve) => state.waiting.push(resolve));
    else state.large++;
    return () => {
      const next = state.waiting.shift();
      // The released slot passes directly to the next waiting response.
      if (next) next();
      else state.large--;
    };
  }

  report(resourceId: string, reader: string, limit: ResponseLimit): void {
    this.#counter?.inc({ resourceId, reader, limit });
    const known = this.#exceeded.get(resourceId) ?? new Map<string, TimedLimit>();
    this.#exceeded.delete(resourceId);
    this.#exceeded.set(resourceId, known);
    known.set(`${reader} ${limit}`, { reader, limit, atMs: this.clock.monotonicMs() });
    const [oldest] = this.#exceeded.keys();
    if (this.#exceeded.size > maxClusters && oldest !== undefined) this.#exceeded.delete(oldest);
  }

  /** Returns the limits that the cluster exceeded in the last hour for readers of this process. */
  exceededBy(resourceId: string): readonly ExceededLimit[] {
    const sinceMs = this.clock.monotonicMs() - reportedMs;
    const known = this.#exceeded.get(resourceId)?.values().toArray() ?? [];
    return known.filter(({ atMs }) => atMs > sinceMs).map(({ reader, limit }) => ({ reader, limit }));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#threads[Symbol.asyncDispose]();
  }

  /** Evicts the oldest state without large responses in memory and without a cool-down. */
  #forgetOldest(): void {
    for (const [key, { allowance, large }] of this.#states) {
      if (large > 0 || allowance.isCoolingDown) continue;
      this.#states.delete(key);
      return;
    }
  }
}
