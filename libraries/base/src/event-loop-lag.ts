import { monitorEventLoopDelay } from "node:perf_hooks";
import { Gauge, type Registry } from "prom-client";

/**
 * Sampling interval in ms. The interval of prom-client is 10 ms. It would wake up an idle process 100 times a second and take 0.2
 * % of a core.
 */
const intervalMs = 100;
const intervalNs = intervalMs * 1e6;

type Delays = ReturnType<typeof monitorEventLoopDelay>;

/**
 * Name and help string of each of prom-client's metrics, with a function that returns the value in ns. Sampled delays include the
 * sampling interval, so the function subtracts the interval.
 */
const gauges: readonly (readonly [name: string, help: string, read: (delays: Delays) => number])[] = [
  ["min", "The minimum recorded event loop delay.", ({ min }) => min - intervalNs],
  ["max", "The maximum recorded event loop delay.", ({ max }) => max - intervalNs],
  ["mean", "The mean of the recorded event loop delays.", ({ mean }) => mean - intervalNs],
  ["stddev", "The standard deviation of the recorded event loop delays.", ({ stddev }) => stddev],
  ["p50", "The 50th percentile of the recorded event loop delays.", (all) => all.percentile(50) - intervalNs],
  ["p90", "The 90th percentile of the recorded event loop delays.", (all) => all.percentile(90) - intervalNs],
  ["p99", "The 99th percentile of the recorded event loop delays.", (all) => all.percentile(99) - intervalNs],
];

/** Replaces prom-client's event loop delay metrics in a registry. The delays of an idle process are about 0. */
export function replaceEventLoopLag(register: Registry): void {
  const delays = monitorEventLoopDelay({ resolution: intervalMs });
  delays.enable();
  const updates: (() => void)[] = [];
  const collect = () => {
    // If there are no new samples, the gauges keep their values.
    if (delays.count === 0) return;
    for (const update of updates) update();
    delays.reset();
  };
  for (const [index, [statistic, help, read]] of gauges.entries()) {
    const name = `nodejs_eventloop_lag_${statistic}_seconds`;
    register.removeSingleMetric(name);
    // Only the first gauge reads the delays and updates all gauges. This works because a registry collects its metrics in
    // creation order.
    const gauge = new Gauge({ name, help, registers: [register], ...(index === 0 && { collect }) });
    updates.push(() => gauge.set(Math.max(0, read(delays)) / 1e9));
  }
}
