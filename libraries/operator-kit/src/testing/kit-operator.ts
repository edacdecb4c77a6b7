import { setTimeout as delay } from "node:timers/promises";
import { type Clock, type Logger, Metrics, silentLogger, systemClock } from "@keelson/base";
import { type Controller, Manager } from "@keelson/controller";
import type { KubeResource } from "@keelson/kube";
import type { OperatorParts } from "../operator/operator-controller.ts";
import { OperatorEvents } from "../operator/operator-events.ts";
import { OperatorResource } from "../operator/operator-resource.ts";
import type { KitCluster } from "./kit-cluster.ts";

export interface KitOperatorOptions<Parts extends OperatorParts> {
  /** Resource of the operator's configuration. */
  readonly resource: KubeResource;
  readonly instance: string;
  /** Namespace of the operator's Events. */
  readonly namespace: string;
  readonly controllers: readonly Controller<Parts>[];
  /** Adds the dependencies of this operator to the common dependencies. */
  readonly parts: (parts: OperatorParts) => Parts;
  /** User of the operator, for example a service account. Default: the administrator. */
  readonly userName?: string;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** Controllers that run in the test process, without leader election. */
export interface KitOperator extends AsyncDisposable {
  /** Returns the number of writes so far. Events are not counted. */
  writes(): Promise<number>;
  /** Returns the number of reconciles of the controller with this name. */
  reconciles(controller: string): Promise<number>;
  /** Waits until no write has occurred for `quietMs`. */
  quiet(quietMs?: number): Promise<void>;
}

export async function startKitOperator<Parts extends OperatorParts>(
  { connect, kubeconfigOf }: KitCluster,
  options: KitOperatorOptions<Parts>,
): Promise<KitOperator> {
  const stop = new AbortController();
  const metrics = new Metrics();
  const { resource, instance, namespace, controllers, parts } = options;
  const { userName } = options;
  const api = connect(instance, userName === undefined ? undefined : await kubeconfigOf(userName));
  const manager = new Manager<Parts>({
    api,
    component: instance,
    instance: "test",
    context: ({ events, ...rest }) =>
      parts({
        ...rest,
        operator: new OperatorResource({ ...rest, resource, instance }),
        events: new OperatorEvents(events, { namespace, name: instance }),
      }),
    controllers,
    metrics,
    clock: options.clock ?? systemClock,
    logger: options.logger ?? silentLogger,
  });
  const running = manager.run(stop.signal);
  while (!manager.isReady) await Promise.race([delay(5), running]);
  const sum = async (metric: string, counts: (line: string) => boolean) => {
    const { body } = await metrics.expose();
    return body
      .split("\n")
      .filter((line) => line.startsWith(`${metric}{`) && counts(line))
      .reduce((total, line) => total + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
  };
  const writes = () => sum("keelson_controller_writes_total", (line) => !/kind="Event"/.test(line));
  return {
    writes,
    reconciles: (controller) =>
      sum("controller_runtime_reconcile_total", (line) => line.includes(`controller="${controller}"`)),
    async quiet(quietMs = 150) {
      for (let before = -1, now = await writes(); now !== before; now = await writes()) {
        before = now;
        await delay(quietMs);
      }
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}
