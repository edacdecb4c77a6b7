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
  /** Gets the metrics of this process, `rp_process_serving` among them. */
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Processes that share the port of the ARM API. This process accepts connections and passes them on in turn. The first process also
 * runs the backend and the other roles. Each is started again after an exit. Disposal drains all.
 */
export class RpWorkers implements AsyncDisposable {
  /** Processes in the order of their numbers. */
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
          // The first one applies migrations and reports a port that is in use.
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

  /** Aborts when a process ended too often and is not started again. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  /** Resolves to the URL of the ARM API when all processes serve. @throws NotRunning with the failure of a start */
  async serving(signal: AbortSignal): Promise<string> {
    const all = Promise.all(this.#processes.map((each) => each.firstServing));
    await untilAborted(all, signal);
    return this.#url.promise;
  }

  /** Metrics of all processes in the text format of Prometheus. */
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
    // Undefined while the process is constructed.
    const status = this.#processes[at]?.status;
    if (status?.state !== "down") return;
    this.#failed.abort(cliErrors.NotRunning(`${status.component} stays down: ${status.reason}`));
  }

  #receive(metrics: WorkerMetrics, message: FromWorker): void {
    if (message.kind === "url") this.#url.resolve(message.url);
    else metrics.receive(message);
  }
}
