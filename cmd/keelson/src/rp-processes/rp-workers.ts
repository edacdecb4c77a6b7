import cluster from "node:cluster";
import process from "node:process";
import {
  type Clock,
  type Exposition,
  type Logger,
  type Metrics,
  mergeMetrics,
  untilAborted,
} from "@keelson/base";
import { cliErrors } from "../output/cli-errors.ts";
import { ComponentProcess } from "../supervisor/component-process.ts";
import type { FromWorker, WorkerSettings } from "./worker-messages.ts";
import { WorkerMetrics } from "./worker-metrics.ts";

export interface RpWorkersOptions {
  readonly count: number;
  /** Registry for the metrics of this process, including `rp_process_serving`. */
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Supervises several processes that share the port of the ARM API. The supervising process accepts connections and distributes
 * them in turn. The first of the supervised processes also runs the backend and the remaining roles. A process that exits is
 * restarted. Disposal drains all supervised processes.
 */
export class RpWorkers implements AsyncDisposable {
  /** Processes by number. */
  readonly #processes: ComponentProcess<WorkerSettings>[] = [];
  readonly #metrics: readonly WorkerMetrics[];
  readonly #own: Metrics;
  readonly #url = Promise.withResolvers<string>();
  readonly #failed = new AbortController();

  constructor({ count, metrics: own, clock, logger }: RpWorkersOptions) {
    this.#own = own;
    cluster.setupPrimary({
      exec: process.argv[1] ?? "",
      args: process.argv.slice(2),
      execArgv: process.execArgv,
    });
    this.#metrics = Array.from({ length: count }, () => new WorkerMetrics(clock));
    for (const [at, metrics] of this.#metrics.entries()) {
      const [first] = this.#processes;
      this.#processes.push(
        new ComponentProcess<WorkerSettings>({
          name: `process ${at + 1}`,
          log: "its log lines",
          spawn: () => cluster.fork().process,
          settings: { isFirst: first === undefined },
          // All processes except the first wait until the first one serves. The first process applies migrations and reports an
          // error if the port is in use.
          dependency: () => first?.firstServing ?? Promise.resolve(),
          report: (text) => logger.warn(text),
          changed: () => this.#check(at),
          receive: (message) => this.#receive(metrics, message as FromWorker),
          clock,
          logger,
        }),
      );
    }
    this.#own.measuredGauge(
      {
        name: "rp_process_serving",
        help: "Processes of the resource provider: 1 while the process serves",
        labels: ["process"],
      },
      () =>
        this.#processes.map(({ status: { state } }, at) => ({
          labels: { process: `${at + 1}` },
          value: state === "serving" ? 1 : 0,
        })),
    );
  }

  /** Aborts when a process exited too often and is not restarted. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  /** Resolves to the URL of the ARM API when all processes are serving. @throws NotRunning with the error of a failed start */
  async serving(signal: AbortSignal): Promise<string> {
    const all = Promise.all(this.#processes.map((each) => each.firstServing));
    await untilAborted(all, signal);
    return this.#url.promise;
  }

  /** Returns the metrics of all processes in the Prometheus text format. */
  async expose(): Promise<Exposition> {
    const all = await Promise.all(
      this.#processes.map((each, at) => this.#metrics[at]?.read((message) => each.post(message))),
    );
    return mergeMetrics([await this.#own.json(), ...all.flatMap((each) => (each ? [each] : []))]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#processes.map((each) => each.stop()));
  }

  #check(at: number): void {
    // The first call comes from the constructor of the process, when the process is not in the list yet.
    const status = this.#processes[at]?.status;
    if (status?.state !== "down") return;
    this.#failed.abort(cliErrors.NotRunning(`${status.component} stays down: ${status.reason}`));
  }

  #receive(metrics: WorkerMetrics, message: FromWorker): void {
    if (message.kind === "url") this.#url.resolve(message.url);
    else metrics.receive(message);
  }
}
