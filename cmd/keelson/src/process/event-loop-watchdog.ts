import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { type Logger, type Metrics, messageOf } from "@keelson/base";
import { type WatchdogSettings, watchdogFields } from "./watchdog-settings.ts";

export interface WatchdogOptions
  extends Partial<Pick<WatchdogSettings, "beatMs" | "limitMs" | "quietMs" | "facts">> {
  readonly metrics: Metrics;
  readonly logger: Logger;
  /**
   * Delay before the watchdog starts. Without the delay, the watchdog would report module loading and compilation as a blocked
   * thread. Default: 30,000 ms.
   */
  readonly startAfterMs?: number;
}

/** Heap size of the watchdog thread, in MiB. */
const heapMb = 32;

/**
 * Starts a thread that detects when the event loop is blocked for a second or longer. The thread logs the stack of the blocking
 * code, even if this code never returns. The thread wakes up a few times per second.
 */
export function startEventLoopWatchdog({
  metrics,
  logger,
  startAfterMs = 30_000,
  ...options
}: WatchdogOptions): Disposable {
  const shared = new SharedArrayBuffer(watchdogFields.count * Int32Array.BYTES_PER_ELEMENT);
  const fields = new Int32Array(shared);
  const settings: WatchdogSettings = {
    shared,
    beatMs: options.beatMs ?? 250,
    limitMs: options.limitMs ?? 1_000,
    quietMs: options.quietMs ?? 10_000,
    facts: options.facts ?? {},
  };
  const stalls = metrics.counter({
    name: "process_event_loop_stalls_total",
    help: "Times that the event loop of the process was blocked for a second or longer",
  });
  stalls.inc({}, 0);
  let worker: Worker | undefined;
  const start = setTimeout(() => {
    worker = startThread(settings);
    worker.on("error", (error) => logger.warn({ error: messageOf(error) }, "the event loop is not watched"));
  }, startAfterMs);
  start.unref();
  let counted = 0;
  const timer = setInterval(() => {
    Atomics.add(fields, watchdogFields.beats, 1);
    const seen = Atomics.load(fields, watchdogFields.stalls);
    if (seen > counted) stalls.inc({}, seen - counted);
    counted = seen;
  }, settings.beatMs);
  timer.unref();
  return {
    [Symbol.dispose]() {
      clearTimeout(start);
      clearInterval(timer);
      void worker?.terminate();
    },
  };
}

function startThread(settings: WatchdogSettings): Worker {
  const worker = new Worker(
    new URL(`./event-loop-watchdog-thread${extname(import.meta.url)}`, import.meta.url),
    {
      workerData: settings,
      // Does not inherit the options of the main thread, because some are invalid for a worker thread, for example `--eval`.
      execArgv: ["--disable-warning=ExperimentalWarning"],
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 },
    },
  );
  worker.unref();
  return worker;
}
