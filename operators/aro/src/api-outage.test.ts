import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type KubeApi, KubeError, resources } from "@keelson/kube";
import { banner } from "./controllers/banner/controller.ts";
import { clusterOperatorAro } from "./controllers/cluster-operator-aro/controller.ts";
import { rbac } from "./controllers/rbac/controller.ts";
import { condition, type TestCluster, type TestOperator, testServers } from "./testing/index.ts";

/** How the API server answers while it is not well; `undefined` of a server that does not answer at all. */
const outages: readonly (readonly [name: string, code: number | undefined])[] = [
  ["500", 500],
  ["429", 429],
  ["403", 403],
  ["no connection", 0],
  ["no answer", undefined],
];
const outageMs = 700;
const role = { name: "system:aro-sre" };

/** The API, but for the time that `fault` is set; it counts what is asked meanwhile. */
class UnwellApi {
  fault: (() => Promise<never>) | undefined;
  asked = 0;
  readonly api: KubeApi;

  constructor(api: KubeApi) {
    this.api = new Proxy(api, {
      get: (target, verb: keyof KubeApi) => {
        const send = target[verb] as (...args: unknown[]) => unknown;
        if (verb === "watch") return (...args: unknown[]) => this.#watch(send.bind(target), args);
        return async (...args: unknown[]) => {
          await this.#meet();
          return send.apply(target, args);
        };
      },
    });
  }

  async #meet(): Promise<void> {
    if (!this.fault) return;
    this.asked += 1;
    await this.fault();
  }

  async *#watch(send: (...args: unknown[]) => unknown, args: unknown[]): AsyncGenerator<unknown> {
    await this.#meet();
    for await (const event of send(...args) as AsyncIterable<unknown>) {
      // A stream breaks at its next event.
      await this.#meet();
      yield event;
    }
  }
}

for (const { name: server, start } of testServers) {
  describe(`an API server that is not well, ${server}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    let unwell: UnwellApi;
    const found = () => cluster.api.find(resources.clusterRoles, role, cluster.signal);
    before(async () => {
      cluster = await start({ kinds: [resources.consoleNotifications, resources.clusterOperators] });
      unwell = new UnwellApi(cluster.api);
      operator = await cluster.start({ controllers: [banner, clusterOperatorAro, rbac], api: unwell.api });
      await cluster.eventually(async () => assert.ok(await found()));
      await operator.quiet();
    });
    after(() => cluster[Symbol.asyncDispose]());

    for (const [name, code] of outages)
      test(`${name}: it is asked seldom, and repaired from when it is well again`, async () => {
        unwell.asked = 0;
        const broken = new AbortController();
        unwell.fault = async () => {
          if (code === undefined)
            await delay(outageMs, undefined, { signal: broken.signal }).catch(() => undefined);
          throw new KubeError(code ?? 0, "Unwell", "the API server is not well");
        };
        await cluster.api.delete(resources.clusterRoles, role, cluster.signal);
        await delay(outageMs);
        assert.equal(await found(), undefined);
        assert.ok(unwell.asked < 60, `${unwell.asked} requests in ${outageMs} ms`);
        unwell.fault = undefined;
        broken.abort();
        await cluster.eventually(async () => assert.ok(await found()));
        await cluster.eventually(async () =>
          assert.equal((await condition(cluster, "RBACControllerDegraded")).status, "False"),
        );
        await operator.quiet();
      });
  });
}
