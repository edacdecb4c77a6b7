import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { type WorkBudget, WorkBudgetExceeded } from "@keelson/base";
import { PatchError } from "../patch/patch-error.ts";
import { failures, StatusError } from "../status/status-error.ts";
import { type Message, messageFor, readMessage, transferable } from "./message.ts";
import { inOwnTurns, type Phases } from "./phases.ts";
import type { TaskName, TaskOf, ThreadReply, ThreadRequest } from "./tasks.ts";

export interface ThreadPoolLimits {
  readonly threads: number;
  /** Of one owner, at the same time: others find a thread that is free. */
  readonly threadsPerOwner: number;
  /** Tasks of one owner that wait; what comes then is answered 429. */
  readonly waitingPerOwner: number;
  /** A thread that takes more of the processor's time for one task is ended. */
  readonly deadlineMs: number;
  /** So is one that is not done after this, however little it could compute meanwhile. */
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

/** No thread is asked more often how long it has computed. */
const recheckMs = 20;

interface Job {
  readonly owner: object;
  readonly request: ThreadRequest;
  readonly settle: (reply: ThreadReply) => void;
  readonly fail: (error: Error) => void;
}

/**
 * Threads for what takes long, shared fairly by the logical clusters that own the tasks: each has its own queue, and the
 * queues take turns.
 */
export class ThreadPool implements AsyncDisposable {
  readonly #limits: ThreadPoolLimits;
  readonly #computedMs: (worker: Worker) => Promise<number>;
  readonly #idle: Worker[] = [];
  readonly #busy = new Map<Worker, Job>();
  /** In the order of their turns. */
  readonly #waiting = new Map<object, Job[]>();
  readonly #running = new Map<object, number>();
  /** Tasks whose input is being written for a thread. */
  readonly #preparing = new Map<object, number>();

  constructor(limits: Partial<ThreadPoolLimits> = {}, computedMs = processorMs) {
    this.#limits = { ...defaultLimits, ...limits };
    this.#computedMs = computedMs;
  }

  /** Tasks that wait for a thread. */
  get waiting(): number {
    const queued = [...this.#waiting.values()].map(({ length }) => length);
    return [...queued, ...this.#preparing.values()].reduce((sum, count) => sum + count, 0);
  }

  /**
   * Runs a task with what is left of the budget, and takes off what it took.
   * @throws StatusError 429 when too many tasks of this owner wait, and what the task throws
   * @throws WorkBudgetExceeded
   */
  async run<Name extends TaskName>(
    owner: object,
    name: Name,
    input: TaskOf<Name>["input"],
    budget: WorkBudget,
  ): Promise<TaskOf<Name>["output"]> {
    const queued = this.#waiting.get(owner)?.length ?? 0;
    if (queued + (this.#preparing.get(owner) ?? 0) >= this.#limits.waitingPerOwner) {
      throw failures.overloaded("too many long requests of this cluster are being worked on");
    }
    const phases = messageFor(input);
    const { done, value } = phases.next();
    const message = done ? value : await this.#prepared(owner, phases);
    const queue = this.#waiting.get(owner) ?? [];
    const { promise, resolve: settle, reject: fail } = Promise.withResolvers<ThreadReply>();
    queue.push({
      owner,
      request: { name, input: message, limits: budget.remaining },
      settle,
      fail,
    });
    this.#waiting.set(owner, queue);
    this.#assign();
    const reply = await promise;
    budget.spend(reply.spent.nodes, reply.spent.bytes);
    switch (reply.kind) {
      case "done":
        return readMessage(reply.output) as TaskOf<Name>["output"];
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

  async [Symbol.asyncDispose](): Promise<void> {
    const workers = [...this.#idle, ...this.#busy.keys()];
    this.#idle.length = 0;
    await Promise.all(workers.map((each) => each.terminate()));
  }

  async #prepared(owner: object, phases: Phases<Message>): Promise<Message> {
    addTo(this.#preparing, owner, 1);
    try {
      return await inOwnTurns(phases, owner);
    } finally {
      addTo(this.#preparing, owner, -1);
    }
  }

  #assign(): void {
    for (const [owner, queue] of this.#waiting) {
      if (this.#busy.size >= this.#limits.threads) return;
      if ((this.#running.get(owner) ?? 0) >= this.#limits.threadsPerOwner) continue;
      const job = queue.shift();
      this.#waiting.delete(owner);
      // Who still waits comes after all others.
      if (queue.length > 0) this.#waiting.set(owner, queue);
      if (job) this.#begin(job);
    }
  }

  #begin(job: Job): void {
    const worker = this.#idle.pop() ?? this.#start();
    this.#busy.set(worker, job);
    addTo(this.#running, job.owner, 1);
    worker.ref();
    const isInTime = this.#limitTime(worker, job);
    worker.once("message", (reply: ThreadReply) => {
      isInTime();
      if (!this.#release(worker)) return;
      worker.unref();
      this.#idle.push(worker);
      job.settle(reply);
      this.#assign();
    });
    worker.postMessage(job.request, transferable(job.request.input));
  }

  /** Ends a thread that takes too long for its job. Returns what to call when it did not. */
  #limitTime(worker: Worker, job: Job): () => void {
    const { deadlineMs, patienceMs } = this.#limits;
    const end = () => {
      if (this.#busy.get(worker) !== job || !this.#release(worker)) return;
      isInTime();
      void worker.terminate();
      job.settle({ kind: "exceeded", limit: "timeMs", spent: { nodes: 0, bytes: 0 } });
      this.#assign();
    };
    const before = this.#computedMs(worker);
    const check = async () => {
      const takenMs = (await this.#computedMs(worker)) - (await before);
      if (takenMs >= deadlineMs) end();
      else if (this.#busy.get(worker) === job)
        late = setTimeout(check, Math.max(recheckMs, deadlineMs - takenMs)).unref();
    };
    let late = setTimeout(check, deadlineMs).unref();
    const impatient = setTimeout(end, patienceMs).unref();
    const isInTime = () => {
      clearTimeout(late);
      clearTimeout(impatient);
    };
    return isInTime;
  }

  /** False when the job has been answered already. */
  #release(worker: Worker): boolean {
    const job = this.#busy.get(worker);
    if (!job) return false;
    this.#busy.delete(worker);
    addTo(this.#running, job.owner, -1);
    return true;
  }

  #start(): Worker {
    const script = new URL(`./task-thread${extname(import.meta.url)}`, import.meta.url);
    const worker = new Worker(script, {
      execArgv: ["--disable-warning=ExperimentalWarning"],
      name: "tasks",
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.memoryMb },
    });
    let why = "its thread ended";
    worker.on("error", (error) => {
      why = error.message;
    });
    worker.on("exit", () => {
      const at = this.#idle.indexOf(worker);
      if (at >= 0) this.#idle.splice(at, 1);
      const job = this.#busy.get(worker);
      if (!job || !this.#release(worker)) return;
      // Most probably its memory was full: the fault of what it worked on.
      job.fail(failures.badRequest(`the request takes more memory than there is for it: ${why}`));
      this.#assign();
    });
    return worker;
  }
}

/** What a thread has taken of the processor's time; nothing while it starts. */
async function processorMs(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1_000;
  } catch {
    return 0;
  }
}

function addTo(counts: Map<object, number>, owner: object, change: number): void {
  const count = (counts.get(owner) ?? 0) + change;
  if (count > 0) counts.set(owner, count);
  else counts.delete(owner);
}

/** The threads of this process. */
export const sharedThreads = new ThreadPool();
