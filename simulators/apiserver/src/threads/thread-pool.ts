import { extname } from "node:path";
import type { Worker } from "node:worker_threads";
import { failures, inOwnTurns, PatchError, type Phases, StatusError } from "@keelson/apimachinery";
import { FairThreads, type WorkBudget, WorkBudgetExceeded } from "@keelson/base";
import { type Message, messageFor, readMessage, transferable } from "./message.ts";
import type { ThreadReply, ThreadRequest, ThreadTask } from "./thread-task.ts";

export interface ThreadPoolLimits {
  readonly threads: number;
  /** Maximum number of concurrent threads for one owner. Other owners can use the remaining threads. */
  readonly threadsPerOwner: number;
  /** Maximum number of waiting tasks of one owner. Further tasks fail with 429. */
  readonly waitingPerOwner: number;
  /** Maximum CPU time of one task in milliseconds. The pool terminates a thread that exceeds this time. */
  readonly deadlineMs: number;
  /** Time in milliseconds after which the pool terminates a thread that uses no CPU during its task. */
  readonly patienceMs: number;
  readonly memoryMb: number;
}

const defaultLimits: ThreadPoolLimits = {
  threads: 2,
  threadsPerOwner: 1,
  waitingPerOwner: 32,
  deadlineMs: 20_000,
  patienceMs: 120_000,
  memoryMb: 512,
};

/**
 * Worker threads for long tasks. Each owner (logical cluster) has a separate queue. Free threads serve the queues in rotation.
 */
export class ThreadPool implements AsyncDisposable {
  readonly #waitingPerOwner: number;
  readonly #threads: FairThreads<ThreadRequest, ThreadReply>;
  /** Number of tasks that are still serializing their input, by owner. */
  readonly #preparing = new Map<object, number>();

  constructor(limits: Partial<ThreadPoolLimits> = {}, computedMs?: (worker: Worker) => Promise<number>) {
    const { deadlineMs, patienceMs, waitingPerOwner, ...others } = { ...defaultLimits, ...limits };
    this.#waitingPerOwner = waitingPerOwner;
    const script = new URL(`../tasks/task-thread${extname(import.meta.url)}`, import.meta.url);
    const options = { ...others, script, name: "tasks", cpuMs: deadlineMs, stalledMs: patienceMs };
    this.#threads = new FairThreads(options, computedMs);
  }

  /** Number of tasks that wait for a thread or are still serializing their input. */
  get waiting(): number {
    return [...this.#preparing.values()].reduce((sum, count) => sum + count, this.#threads.waiting);
  }

  /**
   * Runs a task with the remaining budget and deducts its cost. Rethrows errors of the task.
   * @throws StatusError 429 if too many tasks of this owner wait
   * @throws WorkBudgetExceeded
   */
  async run<Input, Output>(
    owner: object,
    { name }: ThreadTask<Input, Output>,
    input: Input,
    budget: WorkBudget,
  ): Promise<Output> {
    const queued = this.#threads.waitingOf(owner);
    if (queued + (this.#preparing.get(owner) ?? 0) >= this.#waitingPerOwner) {
      throw failures.overloaded("too many long requests of this cluster are in progress");
    }
    const phases = messageFor(input);
    const { done, value } = phases.next();
    const message = done ? value : await this.#prepared(owner, phases);
    const request: ThreadRequest = { name, input: message, limits: budget.remaining };
    const outcome = await this.#threads.run(owner, request, transferable(message));
    if (outcome.kind === "ended") {
      if (outcome.limit !== "memory") throw new WorkBudgetExceeded("timeMs", budget.limits);
      const { reason } = outcome;
      throw failures.badRequest(`the request exceeds its memory limit: ${reason}`);
    }
    const { reply } = outcome;
    budget.spend(reply.spent.nodes, reply.spent.bytes);
    switch (reply.kind) {
      case "done":
        return readMessage(reply.output) as Output;
      case "refused":
        throw new StatusError(reply.code, reply.reason, reply.message);
      case "unpatched":
        throw new PatchError(reply.status, reply.message);
      case "exceeded":
        throw new WorkBudgetExceeded(reply.limit, budget.limits);
      case "failed":
        throw new Error(`the task ${name} failed in its thread: ${reply.message}`);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#threads[Symbol.asyncDispose]();
  }

  async #prepared(owner: object, phases: Phases<Message>): Promise<Message> {
    addTo(this.#preparing, owner, 1);
    try {
      return await inOwnTurns(phases, owner);
    } finally {
      addTo(this.#preparing, owner, -1);
    }
  }
}

function addTo(counts: Map<object, number>, owner: object, change: number): void {
  const count = (counts.get(owner) ?? 0) + change;
  if (count > 0) counts.set(owner, count);
  else counts.delete(owner);
}

/** Thread pool of this process. */
export const sharedThreads = new ThreadPool();
