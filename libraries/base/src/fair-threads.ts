import { type Transferable, Worker } from "node:worker_threads";
import { startTimeLimit } from "./abort.ts";
import { workerCpuMs } from "./cpu-time.ts";

export interface FairThreadsOptions {
  /** Module that each thread runs. It responds to each message with one message. */
  readonly script: URL;
  readonly name: string;
  readonly threads: number;
  /** Maximum number of concurrent threads per owner. */
  readonly threadsPerOwner: number;
  /** CPU time limit of one task, in ms. */
  readonly cpuMs: number;
  /** Maximum continuous time, in ms, in which a task uses no CPU time. The total duration of the task is not limited. */
  readonly stalledMs: number;
  /**
   * Heap limit of one thread in MB. The limit is not safe: if a task allocates memory very fast, V8 aborts the process instead of
   * the thread. Tasks must therefore limit their own memory.
   */
  readonly memoryMb: number;
  /** Time in ms after which an idle thread is terminated. Default: never. */
  readonly idleMs?: number;
}

export type ThreadOutcome<Reply> =
  | { readonly kind: "reply"; readonly reply: Reply; readonly cpuMs: number }
  /** The thread was terminated because of a limit. For `memory`, `reason` is the error of the thread. */
  | {
      readonly kind: "ended";
      readonly limit: "cpu" | "stalled" | "memory";
      readonly reason: string;
      readonly cpuMs: number;
    };

interface Task<Request, Reply> {
  readonly owner: object;
  readonly request: Request;
  readonly transfer: readonly Transferable[];
  readonly settle: (outcome: ThreadOutcome<Reply>) => void;
}

/**
 * Limit of a thread's space for new objects in MiB. V8's default of 192 MiB is too large, because a thread keeps this memory
 * after a task has used it.
 */
const maxYoungGenerationSizeMb = 24;
/** Minimum interval between two reads of a thread's CPU time, in ms. */
const recheckMs = 20;

/**
 * Worker threads with fair scheduling. Each owner has a separate queue, and the queues are served in turn. A thread that exceeds
 * a limit is terminated. The next task gets a new thread. A thread can be terminated only while it runs JavaScript. Native calls
 * such as JSON.parse complete first.
 */
export class FairThreads<Request, Reply> implements AsyncDisposable {
  readonly #options: FairThreadsOptions;
  readonly #computedMs: (worker: Worker) => Promise<number>;
  readonly #reportedMs: ((reply: Reply) => number) | undefined;
  readonly #idle = new Map<Worker, NodeJS.Timeout | undefined>();
  readonly #busy = new Map<Worker, Task<Request, Reply>>();
  /** Queues in scheduling order. */
  readonly #waiting = new Map<object, Task<Request, Reply>[]>();
  readonly #running = new Map<object, number>();
  /** CPU time in ms that each thread had used after its last task. An idle thread uses none. */
  readonly #usedMs = new WeakMap<Worker, number>();

  /**
   * `reportedMs` reads from a reply how much CPU time, in ms, the thread has used since its start. Default: the CPU time is
   * requested from the thread after each reply. Such a request needs 0.1 ms of the caller's CPU time.
   */
  constructor(options: FairThreadsOptions, computedMs = workerCpuMs, reportedMs?: (reply: Reply) => number) {
    this.#options = options;
    this.#computedMs = computedMs;
    this.#reportedMs = reportedMs;
  }

  /** Number of tasks that wait for a thread. */
  get waiting(): number {
    return this.#waiting.values().reduce((sum, { length }) => sum + length, 0);
  }

  waitingOf(owner: object): number {
    return this.#waiting.get(owner)?.length ?? 0;
  }

  /** Runs a task. Objects in `transfer` are moved to the thread. Never rejects. */
  run(
    owner: object,
    request: Request,
    transfer: readonly Transferable[] = [],
  ): Promise<ThreadOutcome<Reply>> {
    const { promise, resolve: settle } = Promise.withResolvers<ThreadOutcome<Reply>>();
    const queue = this.#waiting.get(owner) ?? [];
    queue.push({ owner, request, transfer, settle });
    this.#waiting.set(owner, queue);
    this.#assign();
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const workers = [...this.#idle.keys(), ...this.#busy.keys()];
    for (const timer of this.#idle.values()) clearTimeout(timer);
    this.#idle.clear();
    await Promise.all(workers.map((each) => each.terminate()));
  }

  #assign(): void {
    for (const [owner, queue] of this.#waiting) {
      if (this.#busy.size >= this.#options.threads) return;
      if ((this.#running.get(owner) ?? 0) >= this.#options.threadsPerOwner) continue;
      const task = queue.shift();
      this.#waiting.delete(owner);
      // If the owner has more tasks, its queue moves to the end, behind the queues of all other owners.
      if (queue.length > 0) this.#waiting.set(owner, queue);
      if (task) this.#begin(task);
    }
  }

  #begin(task: Task<Request, Reply>): void {
    const worker = this.#takeIdle() ?? this.#start();
    this.#busy.set(worker, task);
    this.#running.set(task.owner, (this.#running.get(task.owner) ?? 0) + 1);
    worker.ref();
    const inTime = this.#limit(worker, task);
    worker.once("message", async (reply: Reply) => {
      inTime();
      const usedMs = this.#reportedMs?.(reply) ?? (await this.#computedMs(worker));
      const cpuMs = this.#sinceLastTask(worker, usedMs);
      this.#usedMs.set(worker, usedMs);
      if (!this.#release(worker, task)) return;
      this.#rest(worker);
      task.settle({ kind: "reply", reply, cpuMs });
      this.#assign();
    });
    worker.postMessage(task.request, task.transfer);
  }

  /** Terminates the thread if the task exceeds its limits. Returns a function that cancels the limits. */
  #limit(worker: Worker, task: Task<Request, Reply>): () => void {
    const { cpuMs, stalledMs } = this.#options;
    const end = (limit: "cpu" | "stalled", takenMs: number) => {
      if (!this.#release(worker, task)) return;
      cancel();
      void worker.terminate();
      task.settle({ kind: "ended", limit, reason: "", cpuMs: takenMs });
      this.#assign();
    };
    let lastMs = 0;
    const check = async () => {
      const takenMs = this.#sinceLastTask(worker, await this.#computedMs(worker));
      if (this.#busy.get(worker) !== task) return;
      if (takenMs >= cpuMs) return end("cpu", takenMs);
      if (takenMs > lastMs) {
        stalled[Symbol.dispose]();
        stalled = limitStall();
      }
      lastMs = takenMs;
      late = setTimeout(check, Math.max(recheckMs, cpuMs - takenMs)).unref();
    };
    let late = setTimeout(check, cpuMs).unref();
    const limitStall = () => startTimeLimit(stalledMs, () => end("stalled", lastMs));
    let stalled = limitStall();
    const cancel = () => {
      clearTimeout(late);
      stalled[Symbol.dispose]();
    };
    return cancel;
  }

  /** Returns the CPU time of the current task. If the task runs in a new thread, the start of the thread is included. */
  #sinceLastTask(worker: Worker, usedMs: number): number {
    return Math.max(0, usedMs - (this.#usedMs.get(worker) ?? 0));
  }

  /** Releases the thread of a task. Returns false if the task already has an outcome. */
  #release(worker: Worker, task: Task<Request, Reply>): boolean {
    if (this.#busy.get(worker) !== task) return false;
    this.#busy.delete(worker);
    const left = (this.#running.get(task.owner) ?? 1) - 1;
    if (left > 0) this.#running.set(task.owner, left);
    else this.#running.delete(task.owner);
    return true;
  }

  #takeIdle(): Worker | undefined {
    for (const [worker, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(worker);
      return worker;
    }
    return undefined;
  }

  #rest(worker: Worker): void {
    const { idleMs } = this.#options;
    worker.unref();
    const end = () => {
      this.#idle.delete(worker);
      void worker.terminate();
    };
    this.#idle.set(worker, idleMs === undefined ? undefined : setTimeout(end, idleMs).unref());
  }

  #start(): Worker {
    const { script, name, memoryMb } = this.#options;
    const worker = new Worker(script, {
      execArgv: ["--disable-warning=ExperimentalWarning"],
      name,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb },
    });
    let reason = "its thread ended";
    worker.on("error", (error) => {
      reason = error.message;
    });
    worker.on("exit", () => {
      clearTimeout(this.#idle.get(worker));
      this.#idle.delete(worker);
      const task = this.#busy.get(worker);
      if (!task || !this.#release(worker, task)) return;
      // The thread ended although this class did not terminate it. The most probable cause is a full heap.
      task.settle({ kind: "ended", limit: "memory", reason, cpuMs: 0 });
      this.#assign();
    });
    return worker;
  }
}
