import type { Clock } from "./clock.ts";
import { CodedError } from "./errors.ts";
import { threadCpuMs } from "./thread-cpu.ts";

/** Limits for the work of one request. */
export interface WorkLimits {
  /** Steps of work: each decoded, visited, compared or created value is one. */
  readonly nodes: number;
  /** Bytes that are read, copied or created, unless they are proportional to nodes. */
  readonly bytes: number;
  /** CPU time of the request's own code in milliseconds. Waiting and other programs do not count. */
  readonly timeMs: number;
}

export type WorkLimit = keyof WorkLimits;

/** Thrown when a request has exceeded a limit. Its partial result is discarded. */
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

/** CPU time of the thread. On a busy machine work takes longer in wall time but not in CPU time. */
const processorTime: Pick<Clock, "monotonicMs"> = { monotonicMs: threadCpuMs };

/** Maximum number of nodes and bytes between two readings of the clock. */
const nodesPerReading = 1_024;
const bytesPerReading = 65_536;

/**
 * Remaining limits of one request, passed to everything that works for it. Limits only decrease.
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
  /** Last reading of the clock in this event loop turn. Undefined while other code runs. */
  #lastReadMs: number | undefined;
  #nodesAtReading = 0;
  #bytesAtReading = 0;

  /** @throws RangeError for limits that are negative or no numbers */
  constructor(limits: WorkLimits, clock: Pick<Clock, "monotonicMs"> = processorTime) {
    for (const limit of ["nodes", "bytes", "timeMs"] as const) {
      if (!(limits[limit] >= 0))
        throw new RangeError(`the limit ${limit} is negative or no number: ${limits[limit]}`);
    }
    this.limits = limits;
    this.#clock = clock;
  }

  /** Work so far. The time is that of the last reading of the clock. */
  get spent(): WorkLimits {
    return { nodes: this.#nodes, bytes: this.#bytes, timeMs: this.#timeMs };
  }

  /** Returns the exceeded limit, if any. */
  get exceeded(): WorkLimit | undefined {
    return (["nodes", "bytes", "timeMs"] as const).find((limit) => this.spent[limit] > this.limits[limit]);
  }

  /** Remaining limits, for work that continues elsewhere with its own budget, for example in a thread. */
  get remaining(): WorkLimits {
    const left = (limit: WorkLimit) => Math.max(0, this.limits[limit] - this.spent[limit]);
    return { nodes: left("nodes"), bytes: left("bytes"), timeMs: left("timeMs") };
  }

  /**
   * Deducts work from the budget, before it is done if its amount is known.
   * @throws WorkBudgetExceeded if the budget is insufficient
   * @throws RangeError for a negative amount or NaN, which would increase the budget
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

  /** Reads the clock now, for long work with few nodes. @throws WorkBudgetExceeded */
  checkTime(): void {
    const nowMs = this.#clock.monotonicMs();
    // A microtask runs when the request's code awaits or ends. Later work of other code is not counted.
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
