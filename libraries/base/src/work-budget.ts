import type { Clock } from "./clock.ts";
import { threadCpuMs } from "./cpu-time.ts";
import { CodedError } from "./errors.ts";

/** Work limits of one request. */
export interface WorkLimits {
  /** Number of work steps. Each value that is decoded, visited, compared or created counts as one step. */
  readonly nodes: number;
  /**
   * Number of bytes read, copied or created. Bytes do not count if their number is proportional to `nodes`, because `nodes`
   * already covers them.
   */
  readonly bytes: number;
  /** CPU time of the request's own code in milliseconds. Waits and other programs do not count. */
  readonly timeMs: number;
}

export type WorkLimit = keyof WorkLimits;

/** Error of a request that has exceeded a work limit. Its partial result is discarded. */
export class WorkBudgetExceeded extends CodedError<"WorkBudgetExceeded"> {
  readonly limit: WorkLimit;

  constructor(limit: WorkLimit, limits: WorkLimits) {
    const unit = limit === "timeMs" ? "ms" : limit;
    super(
      "WorkBudgetExceeded",
      "never",
      `the request needs more work than ${limits[limit].toLocaleString("en")} ${unit}; send smaller requests or simpler expressions`,
    );
    this.limit = limit;
  }
}

/** Clock that returns the CPU time of the thread. On a busy machine, work takes more wall time but not more CPU time. */
const processorTime: Pick<Clock, "monotonicMs"> = { monotonicMs: threadCpuMs };

/** Maximum number of nodes and bytes between two reads of the clock. */
const nodesPerReading = 1_024;
const bytesPerReading = 65_536;

/**
 * Remaining work limits of one request. It is passed to all code that works for the request. Limits only decrease.
 *
 *     const budget = new WorkBudget({ nodes: 2_000_000, bytes: 32_000_000, timeMs: 1_000 });
 *     budget.spend(items.length); // nodes
 *     budget.spend(1, copy.length); // a node and its bytes
 */
export class WorkBudget {
  readonly limits: WorkLimits;
  readonly #clock: Pick<Clock, "monotonicMs">;
  #nodes = 0;
  #bytes = 0;
  #timeMs = 0;
  /** Clock reading, in ms, from which the CPU time is counted next. Undefined while code of other requests runs. */
  #lastReadMs: number | undefined;
  #nodesAtReading = 0;
  #bytesAtReading = 0;

  /** Creates a budget. @throws RangeError for limits that are negative or not numbers */
  constructor(limits: WorkLimits, clock: Pick<Clock, "monotonicMs"> = processorTime) {
    for (const limit of ["nodes", "bytes", "timeMs"] as const) {
      if (!(limits[limit] >= 0))
        throw new RangeError(`the limit ${limit} is negative or no number: ${limits[limit]}`);
    }
    this.limits = limits;
    this.#clock = clock;
  }

  /** Work done so far. CPU time since the last clock reading is not included. */
  get spent(): WorkLimits {
    return { nodes: this.#nodes, bytes: this.#bytes, timeMs: this.#timeMs };
  }

  /** Returns the exceeded limit. Undefined if there is none. */
  get exceeded(): WorkLimit | undefined {
    return (["nodes", "bytes", "timeMs"] as const).find((limit) => this.spent[limit] > this.limits[limit]);
  }

  /** Returns the remaining limits, for work that continues with a different budget, for example in a worker thread. */
  get remaining(): WorkLimits {
    const left = (limit: WorkLimit) => Math.max(0, this.limits[limit] - this.spent[limit]);
    return { nodes: left("nodes"), bytes: left("bytes"), timeMs: left("timeMs") };
  }

  /**
   * Deducts work from the budget. Call this method before the work if the amount is known.
   * @throws WorkBudgetExceeded if the budget is insufficient
   * @throws RangeError for NaN, or for a negative amount, which would increase the budget
   */
  spend(nodes: number, bytes = 0): void {
    if (!(nodes >= 0 && bytes >= 0)) throw new RangeError(`work of ${nodes} nodes and ${bytes} bytes`);
    this.#nodes += nodes;
    this.#bytes += bytes;
    if (this.#nodes > this.limits.nodes) throw new WorkBudgetExceeded("nodes", this.limits);
    if (this.#bytes > this.limits.bytes) throw new WorkBudgetExceeded("bytes", this.limits);
    if (
      this.#lastReadMs === undefined ||
      this.#nodes - this.#nodesAtReading >= nodesPerReading ||
      this.#bytes - this.#bytesAtReading >= bytesPerReading
    ) {
      this.checkTime();
    }
  }

  /** Reads the clock immediately. Use it for long work with few nodes. @throws WorkBudgetExceeded */
  checkTime(): void {
    const nowMs = this.#clock.monotonicMs();
    // The microtask runs when the request's code awaits or returns. Work of other code after this point is not counted.
    if (this.#lastReadMs === undefined) queueMicrotask(() => this.#endTurn());
    else this.#timeMs += Math.max(0, nowMs - this.#lastReadMs);
    this.#lastReadMs = nowMs;
    this.#nodesAtReading = this.#nodes;
    this.#bytesAtReading = this.#bytes;
    if (this.#timeMs > this.limits.timeMs) throw new WorkBudgetExceeded("timeMs", this.limits);
  }

  #endTurn(): void {
    if (this.#lastReadMs !== undefined)
      this.#timeMs += Math.max(0, this.#clock.monotonicMs() - this.#lastReadMs);
    this.#lastReadMs = undefined;
  }
}
