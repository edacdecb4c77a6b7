import type { Clock } from "./clock.ts";
import { CodedError } from "./errors.ts";
import { threadCpuMs } from "./thread-cpu.ts";

/** What answering one request may take. */
export interface WorkLimits {
  /** Steps of work: a value decoded, visited, compared or made is one. */
  readonly nodes: number;
  /** Bytes read, copied or made, as far as they are not a fixed number per node. */
  readonly bytes: number;
  /** Milliseconds of the processor's time that the request's own code takes. Waiting and other programs do not count. */
  readonly timeMs: number;
}

export type WorkLimit = keyof WorkLimits;

/** Thrown when a request has used up one of its limits. What it began is thrown away. */
export class WorkBudgetExceeded extends CodedError<"WorkBudgetExceeded"> {
  readonly limit: WorkLimit;

  constructor(limit: WorkLimit, limits: WorkLimits) {
    const unit = limit === "timeMs" ? "ms" : limit;
    super(
      "WorkBudgetExceeded",
      "never",
      `the request takes more work than ${limits[limit].toLocaleString("en")} ${unit}; send less at once, or simpler expressions`,
    );
    this.limit = limit;
  }
}

/**
 * The processor's time of the thread, as a budget counts it: on a machine that others keep busy, work that is within its
 * limits takes longer, and not more.
 */
const processorTime: Pick<Clock, "monotonicMs"> = { monotonicMs: threadCpuMs };

/** So many nodes and bytes may pass between two readings of the clock. */
const nodesPerReading = 1_024;
const bytesPerReading = 65_536;

/**
 * What one request may still take, carried through everything that works for it. All limits only ever shrink.
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
  /** When the clock was last read in this turn of the event loop; `undefined` while others run. */
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

  /** What has been spent so far; time as of the last reading of the clock. */
  get spent(): WorkLimits {
    return { nodes: this.#nodes, bytes: this.#bytes, timeMs: this.#timeMs };
  }

  /** The limit that is over, if one is. */
  get exceeded(): WorkLimit | undefined {
    return (["nodes", "bytes", "timeMs"] as const).find((limit) => this.spent[limit] > this.limits[limit]);
  }

  /** What is left, for work that goes on elsewhere, in a thread for example, with a budget of its own. */
  get remaining(): WorkLimits {
    const left = (limit: WorkLimit) => Math.max(0, this.limits[limit] - this.spent[limit]);
    return { nodes: left("nodes"), bytes: left("bytes"), timeMs: left("timeMs") };
  }

  /**
   * Takes work off the budget: before it is done where its amount is known.
   * @throws WorkBudgetExceeded when that is more than there is
   * @throws RangeError for a negative amount or NaN, which would give something back
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

  /** Reads the clock now: for work that takes long without many nodes. @throws WorkBudgetExceeded */
  checkTime(): void {
    const nowMs = this.#clock.monotonicMs();
    // A microtask runs when the request's code waits or ends: what others do from then on is not its time.
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
