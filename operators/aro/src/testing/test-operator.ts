import { setTimeout as delay } from "node:timers/promises";
import { type Clock, type Logger, Metrics, silentLogger, systemClock } from "@keelson/base";
import { connectKube, type KubeApi } from "@keelson/kube";
import type { KitCluster } from "@keelson/operator-kit/testing";
import { type AroOperatorOptions, runControllers } from "../aro-operator.ts";
import type { AroController } from "../runtime/aro-controller.ts";
import { permissionsOf } from "../runtime/permissions.ts";
import { permittedApi } from "./permitted-api.ts";

export interface TestOperatorOptions {
  readonly controllers: readonly AroController[];
  readonly role?: AroOperatorOptions["role"];
  /** API of the controllers. Default: the administrator's API, limited to the permissions of the controllers. */
  readonly api?: KubeApi;
  readonly environment?: AroOperatorOptions["environment"];
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** Controllers that run in the test process, without leader election. */
export interface TestOperator extends AsyncDisposable {
  readonly metrics: Metrics;
  ready(): Promise<void>;
  /** Returns the value of a counter or gauge, summed over all series with these labels. */
  metric(name: string, labels?: Readonly<Record<string, string>>): Promise<number>;
  /** Returns the number of writes by all controllers so far. Events and leases are not counted. */
  writes(): Promise<number>;
  /** Waits until no write has occurred for `quietMs`. */
  quiet(quietMs?: number): Promise<void>;
}

export function createTestOperator(cluster: KitCluster, options: TestOperatorOptions): TestOperator {
  const stop = new AbortController();
  const metrics = new Metrics();
  const own = options.api
    ? undefined
    : connectKube({
        kubeconfig: cluster.kubeconfig,
        userAgent: "test-operator/1",
        fieldManager: "aro-operator",
      });
  const role = options.role ?? "master";
  const operator = runControllers(options.controllers, {
    role,
    api: options.api ?? permittedApi(own ?? cluster.api, permissionsOf(role, options.controllers)),
    version: "test",
    instance: "test",
    environment: options.environment ?? {},
    metrics,
    clock: options.clock ?? systemClock,
    logger: options.logger ?? silentLogger,
  });
  const running = operator.run(stop.signal);
  const series = async (name: string, fits: (line: string) => boolean) => {
    const { body } = await metrics.expose();
    return body
      .split("\n")
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .filter(fits)
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
  };
  const writes = () =>
    series("keelson_controller_writes_total", (line) => !/kind="(?:Event|Lease)"/.test(line));
  return {
    metrics,
    async ready() {
      while (!operator.isReady) await Promise.race([delay(5), running]);
    },
    metric: (name, labels = {}) =>
      series(name, (line) =>
        Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)),
      ),
    writes,
    async quiet(quietMs = 150) {
      for (let before = -1, now = await writes(); now !== before; now = await writes()) {
        before = now;
        await delay(quietMs);
      }
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      await own?.[Symbol.asyncDispose]();
    },
  };
}
