import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { ManualClock } from "@keelson/base/testing";
import { type KubeApi, KubeError, resources } from "@keelson/kube";
import { banner } from "./controllers/banner/controller.ts";
import { clusterOperatorAro } from "./controllers/cluster-operator-aro/controller.ts";
import { rbac } from "./controllers/rbac/controller.ts";
import {
  condition,
  passTime,
  startOnMovedClock,
  type TestCluster,
  type TestOperator,
  testServers,
} from "./testing/index.ts";

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

const minuteMs = 60_000;

for (const { name: server, start } of testServers) {
  describe(`on a clock that is moved, ${server}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    let unwell: UnwellApi;
    const clock = new ManualClock(new Date());
    const pass = (ms: number, stepMs: number) => passTime(clock, ms, stepMs);
    /** Gives how many seconds it took until the role was there. */
    const secondsUntilRepaired = async () => {
      for (let seconds = 0; seconds < 1_800; seconds += 2) {
        if (await cluster.api.find(resources.clusterRoles, role, cluster.signal)) return seconds;
        await pass(2_000, 1_000);
      }
      return assert.fail("it is not repaired within half an hour");
    };
    before(async () => {
      cluster = await start({ kinds: [resources.consoleNotifications, resources.clusterOperators] });
      unwell = new UnwellApi(cluster.api);
      const controllers = [banner, clusterOperatorAro, rbac];
      operator = await startOnMovedClock(cluster, clock, { controllers, api: unwell.api });
      await secondsUntilRepaired();
      await pass(minuteMs, 1_000);
    });
    after(() => cluster[Symbol.asyncDispose]());

    for (const [name, code] of outages.filter(([, code]) => code !== undefined))
      test(`${name} for five minutes: a few requests a minute, repaired within two, nothing written after that`, async () => {
        unwell.asked = 0;
        unwell.fault = () => Promise.reject(new KubeError(code ?? 0, "Unwell", "the API server is not well"));
        await cluster.api.delete(resources.clusterRoles, role, cluster.signal);
        await pass(5 * minuteMs, 1_000);
        assert.equal(await cluster.api.find(resources.clusterRoles, role, cluster.signal), undefined);
        assert.ok(unwell.asked < 40, `${unwell.asked} requests in five minutes`);
        unwell.fault = undefined;
        const seconds = await secondsUntilRepaired();
        assert.ok(seconds <= 120, `${seconds} s`);
        await pass(2 * minuteMs, 1_000);
        const writes = await operator.writes();
        await pass(minuteMs, 1_000);
        assert.equal((await operator.writes()) - writes, 0);
        assert.equal((await condition(cluster, "RBACControllerDegraded")).status, "False");
      });

    test("a day in which nothing happens: nothing is written, and reconciles are few", async () => {
      const reconciles = () => operator.metric("controller_runtime_reconcile_total");
      const [writes, before] = [await operator.writes(), await reconciles()];
      await pass(24 * 60 * minuteMs, minuteMs);
      assert.equal((await operator.writes()) - writes, 0);
      const more = (await reconciles()) - before;
      assert.ok(more <= 24, `${more} reconciles`);
      assert.equal(await operator.metric("workqueue_depth"), 0);
      await cluster.api.delete(resources.clusterRoles, role, cluster.signal);
      assert.ok((await secondsUntilRepaired()) <= 60);
    });
  });
}
