import type { Counter, Histogram, Metrics } from "@keelson/base";
import type { Priority, QueueObserver } from "../queue/work-queue.ts";

export type ReconcileOutcome = "success" | "requeue_after" | "error" | "terminal_error" | "panic" | "timeout";

/** State of a running controller. It is read at each scrape. */
export interface MeasuredController {
  readonly name: string;
  readonly concurrency: number;
  readonly depths: Readonly<Record<Priority, number>>;
  /** Processing time of each active key so far, in seconds. */
  readonly activeSeconds: readonly number[];
}

/** Buckets of queue durations in seconds: 10 ns to 1,000 s. */
const queueBuckets = Array.from({ length: 12 }, (_, at) => 10e-9 * 10 ** at);
/** Buckets of reconcile durations in seconds, as in controller-runtime. */
const reconcileBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5,
  1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
/**
 * Values of the `priority` label, as in controller-runtime's queue. Keys from lists and periodic checks have a lower priority
 * than keys from events.
 */
const priorityValues: Readonly<Record<Priority, string>> = { event: "0", resync: "-100" };
const queueLabels = ["name", "controller"] as const;
type QueueLabel = (typeof queueLabels)[number];

interface QueueMetrics {
  readonly adds: Counter<QueueLabel>;
  readonly retries: Counter<QueueLabel>;
  readonly waited: Histogram<QueueLabel>;
  readonly worked: Histogram<QueueLabel>;
}

/** Metrics of all controllers of a process. They use the metric names of controller-runtime. */
export class ControllerMetrics {
  readonly #running = new Set<MeasuredController>();
  /** Names of all controllers that have ever started in this process. */
  readonly #controllers = new Set<string>();
  readonly #counters;
  readonly #durations;
  readonly #queue: QueueMetrics;

  constructor(metrics: Metrics) {
    const names = this.#controllers;
    const perController = (name: string, help: string) =>
      metrics.counter({ name, help, labels: ["controller"] }, () =>
        [...names].map((controller) => ({ controller })),
      );
    const perQueue = (name: string, help: string) =>
      metrics.counter({ name, help, labels: queueLabels }, () => [...names].map(labelsOf));
    this.#counters = {
      total: metrics.counter(
        {
          name: "controller_runtime_reconcile_total",
          help: "Reconciliations",
          labels: ["controller", "result"],
        },
        () =>
          [...names].flatMap((controller) =>
            ["success", "requeue_after", "error"].map((result) => ({ controller, result })),
          ),
      ),
      errors: perController("controller_runtime_reconcile_errors_total", "Reconciliations that failed"),
      terminal_error: perController(
        "controller_runtime_terminal_reconcile_errors_total",
        "Reconciliations that failed and are not tried again",
      ),
      panic: perController(
        "controller_runtime_reconcile_panics_total",
        "Reconciliations that failed by a defect of the program",
      ),
      timeout: perController(
        "controller_runtime_reconcile_timeouts_total",
        "Reconciliations that did not end in time",
      ),
    };
    this.#durations = metrics.histogram(
      {
        name: "controller_runtime_reconcile_time_seconds",
        help: "Length of reconciliations",
        labels: ["controller"],
      },
      reconcileBuckets,
    );
    this.#queue = {
      adds: perQueue("workqueue_adds_total", "Keys added"),
      retries: perQueue("workqueue_retries_total", "Keys added again after a failure"),
      waited: metrics.histogram(
        {
          name: "workqueue_queue_duration_seconds",
          help: "Time keys wait for a worker",
          labels: queueLabels,
        },
        queueBuckets,
      ),
      worked: metrics.histogram(
        { name: "workqueue_work_duration_seconds", help: "Time keys are processed", labels: queueLabels },
        queueBuckets,
      ),
    };
    this.#measure(metrics);
  }

  /** Returns the observer of a controller's queue. */
  queue(controller: string): QueueObserver {
    this.#controllers.add(controller);
    return new QueueFigures(this.#queue, controller);
  }

  /** Exports the controller's state at each scrape until disposal. */
  started(controller: MeasuredController): Disposable {
    this.#running.add(controller);
    return { [Symbol.dispose]: () => void this.#running.delete(controller) };
  }

  reconciled(controller: string, outcome: ReconcileOutcome, seconds: number): void {
    const isFailure = outcome !== "success" && outcome !== "requeue_after";
    this.#counters.total.inc({ controller, result: isFailure ? "error" : outcome });
    if (isFailure) this.#counters.errors.inc({ controller });
    if (isFailure && outcome !== "error") this.#counters[outcome].inc({ controller });
    this.#durations.observe({ controller }, seconds);
  }

  #measure(metrics: Metrics): void {
    const perQueue = (name: string, help: string, value: (of: MeasuredController) => number) =>
      metrics.measuredGauge({ name, help, labels: queueLabels }, () =>
        [...this.#running].map((each) => ({ labels: labelsOf(each.name), value: value(each) })),
      );
    const perController = (name: string, help: string, value: (of: MeasuredController) => number) =>
      metrics.measuredGauge({ name, help, labels: ["controller"] }, () =>
        [...this.#running].map((each) => ({ labels: { controller: each.name }, value: value(each) })),
      );
    metrics.measuredGauge(
      { name: "workqueue_depth", help: "Keys that wait for a worker", labels: [...queueLabels, "priority"] },
      () =>
        [...this.#running].flatMap(({ name, depths }) =>
          (["event", "resync"] as const).map((priority) => ({
            labels: { ...labelsOf(name), priority: priorityValues[priority] },
            value: depths[priority],
          })),
        ),
    );
    perQueue(
      "workqueue_unfinished_work_seconds",
      "Time spent so far on keys in process; large values are calls that hang",
      ({ activeSeconds }) => activeSeconds.reduce((sum, each) => sum + each, 0),
    );
    perQueue(
      "workqueue_longest_running_processor_seconds",
      "Time spent so far on the key that has been in process longest",
      ({ activeSeconds }) => Math.max(0, ...activeSeconds),
    );
    perController(
      "controller_runtime_active_workers",
      "Keys in process",
      ({ activeSeconds }) => activeSeconds.length,
    );
    perController(
      "controller_runtime_max_concurrent_reconciles",
      "Keys that may be in process at a time",
      ({ concurrency }) => concurrency,
    );
  }
}

/** Metrics of one queue. A process may have thousands of queues. */
class QueueFigures implements QueueObserver {
  readonly #of: QueueMetrics;
  readonly #controller: string;

  constructor(of: QueueMetrics, controller: string) {
    this.#of = of;
    this.#controller = controller;
  }

  added(): void {
    this.#of.adds.inc(labelsOf(this.#controller));
  }

  retried(): void {
    this.#of.retries.inc(labelsOf(this.#controller));
  }

  started(waitedSeconds: number): void {
    this.#of.waited.observe(labelsOf(this.#controller), waitedSeconds);
  }

  finished(workedSeconds: number): void {
    this.#of.worked.observe(labelsOf(this.#controller), workedSeconds);
  }
}

function labelsOf(controller: string) {
  return { name: controller, controller };
}
