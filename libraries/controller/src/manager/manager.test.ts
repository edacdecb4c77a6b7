import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { Metrics, silentLogger, stringAt, systemClock } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { until } from "@keelson/base/testing/eventually";
import {
  type KubeApi,
  type KubeClient,
  KubeError,
  type KubeResource,
  type ObjectKey,
  resources,
  type WatchOptions,
} from "@keelson/kube";
import { type Controller, done } from "../controller/controller.ts";
import { annotationsChanged } from "../controller/predicates.ts";
import { watch, watchMapped, watchOwned } from "../controller/watch.ts";
import { LeaderElection } from "../election/leader-election.ts";
import { keyOf } from "../objects/object-key.ts";
import { controllerReference } from "../objects/owner-references.ts";
import { TerminalError } from "../queue/work-queue.ts";
import { ScriptedApi } from "../testing/scripted-api.ts";
import { apiServers, type TestApiServer } from "../testing/test-api-server.ts";
import { Manager, type ManagerParts } from "./manager.ts";

const selection = { labelSelector: "mirror=true" };
const signal = AbortSignal.timeout(900_000);

/** Minimal operator that copies each ConfigMap into a Secret. The ConfigMap owns the Secret. */
function mirrors(reconciled: string[] = []): Controller<ManagerParts> {
  return {
    name: "mirrors",
    watches: [
      watch(resources.configMaps, { selection }),
      watchOwned(resources.secrets, resources.configMaps),
      watchMapped(
        resources.namespaces,
        ({ metadata: { name } }, { cache }) =>
          cache.informer(resources.configMaps, { selection }).list(name).map(keyOf),
        { where: annotationsChanged },
      ),
    ],
    async reconcile(key, { api, cache, events }, { signal: stop }) {
      reconciled.push(key.name);
      const configMap = cache.informer(resources.configMaps, { selection }).get(key);
      if (!configMap) return done;
      if (stringAt(configMap, "data", "fail") === "terminal") throw new TerminalError("never");
      const before = cache.find(resources.secrets, key);
      const text = stringAt(configMap, "data", "text") ?? "";
      const data = { text: Buffer.from(text).toString("base64") };
      if (stringAt(before, "data", "text") === data.text) return done;
      const secret = {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { ...key, ownerReferences: [controllerReference(configMap)] },
        data,
      };
      await api.apply(resources.secrets, secret, stop, { force: true });
      if (before)
        events.record(configMap, { type: "Normal", reason: "Repaired", message: "the Secret differed" });
      return done;
    },
  };
}

test("a leader is ready when everything that was there has been reconciled once", async () => {
  const api = new ScriptedApi();
  api.write("first", "1");
  const finish = Promise.withResolvers<typeof done>();
  const stop = new AbortController();
  const controllers: Controller<ManagerParts>[] = [
    { name: "slow", watches: [watch(resources.configMaps)], reconcile: () => finish.promise },
  ];
  const manager = new Manager({
    // The cast is safe, because the code under test only lists and watches.
    api: api as unknown as KubeApi,
    component: "test",
    instance: "test",
    context: (parts) => parts,
    controllers,
    metrics: new Metrics(),
    clock: systemClock,
    logger: silentLogger,
  });
  assert.equal(manager.isReady, false);
  const running = manager.run(stop.signal);
  while (!manager.cache.informers.every(({ hasSynced }) => hasSynced)) await delay(1);
  await delay(20);
  assert.equal(manager.isReady, false);
  finish.resolve(done);
  while (!manager.isReady) await delay(1);
  stop.abort();
  await running;
});

test("a resource that may not be read holds up its controller only", async () => {
  const readable = new ScriptedApi();
  readable.write("first", "1");
  const forbidden = async () => {
    throw new KubeError(403, "Forbidden", "secrets are forbidden");
  };
  const api = {
    list: (resource: KubeResource) => (resource.kind === "Secret" ? forbidden() : readable.list(resource)),
    watch: (resource: KubeResource, options: WatchOptions, stop: AbortSignal) =>
      resource.kind === "Secret"
        ? (async function* () {
            yield await forbidden();
          })()
        : readable.watch(resource, options, stop),
  };
  const clock = new ManualClock();
  const reconciled: string[] = [];
  const controllerOf = (resource: KubeResource): Controller<ManagerParts> => ({
    name: resource.plural,
    watches: [watch(resource)],
    reconcile: async () => {
      reconciled.push(resource.plural);
      return done;
    },
  });
  const manager = new Manager({
    // The cast is safe, because the code under test only lists and watches.
    api: api as unknown as KubeApi,
    component: "test",
    instance: "test",
    context: (parts) => parts,
    controllers: [controllerOf(resources.secrets), controllerOf(resources.configMaps)],
    metrics: new Metrics(),
    clock,
    logger: silentLogger,
  });
  const stop = new AbortController();
  const running = manager.run(stop.signal);
  while (reconciled.length === 0) {
    await delay(1);
    await clock.advance(1_000);
  }
  assert.deepEqual(reconciled, ["configmaps"]);
  assert.equal(manager.isReady, false);
  stop.abort();
  await running;
});

for (const { name: serverName, start } of apiServers) {
  let server: TestApiServer;
  let api: KubeClient;
  before(async () => {
    server = await start();
    api = server.connect();
  });
  after(async () => {
    await api[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  async function namespace(name: string): Promise<string> {
    await api.create(
      resources.namespaces,
      { apiVersion: "v1", kind: "Namespace", metadata: { name } },
      signal,
    );
    return name;
  }

  const configMap = (key: Required<ObjectKey>, data: Readonly<Record<string, string>>) =>
    api.create(
      resources.configMaps,
      { apiVersion: "v1", kind: "ConfigMap", metadata: { ...key, labels: { mirror: "true" } }, data },
      signal,
    );

  /** Starts a manager with the `mirrors` controller. With `identity`, the manager competes for a lease. */
  function running(
    reconciled: string[] = [],
    identity?: { readonly name: string; readonly lease: Required<ObjectKey> },
  ) {
    const stop = new AbortController();
    const metrics = new Metrics();
    const kube = server.connect({ fieldManager: "mirrors" });
    const deps = { clock: systemClock, logger: silentLogger };
    const election =
      identity &&
      new LeaderElection({
        api: kube,
        lease: identity.lease,
        identity: identity.name,
        leaseDurationMs: 3_000,
        renewDeadlineMs: 2_000,
        retryPeriodMs: 200,
        ...deps,
      });
    const manager = new Manager<ManagerParts>({
      api: kube,
      component: "mirrors",
      instance: "mirrors-1",
      context: (parts) => parts,
      controllers: [mirrors(reconciled)],
      election,
      reportsLeader: true,
      metrics,
      ...deps,
    });
    const ended = manager.run(stop.signal);
    return {
      manager,
      metrics,
      stop,
      ended,
      async [Symbol.asyncDispose]() {
        stop.abort();
        await ended;
        await kube[Symbol.asyncDispose]();
      },
    };
  }

  const secretText = async (key: Required<ObjectKey>) => {
    const secret = await api.find(resources.secrets, key, signal);
    return secret && Buffer.from(stringAt(secret, "data", "text") ?? "", "base64").toString();
  };

  test(`${serverName}: what is missing, edited or deleted is put back, and nothing is written without need`, async () => {
    const ns = await namespace("repairs");
    const key = { namespace: ns, name: "a" };
    await configMap(key, { text: "one" });
    await using controllers = running();
    await until(async () => (await secretText(key)) === "one");
    await api.mergePatch(resources.secrets, key, { data: { text: "b3RoZXI=" } }, signal);
    await until(async () => (await secretText(key)) === "one");
    await api.delete(resources.secrets, key, signal);
    await until(async () => (await secretText(key)) === "one");
    await api.mergePatch(resources.configMaps, key, { data: { text: "two" } }, signal);
    await until(async () => (await secretText(key)) === "two");
    await until(async () => controllers.manager.isIdle);
    assert.deepEqual(await figures(controllers.metrics, "keelson_controller_writes_total", "Secret"), [4]);
    assert.deepEqual(await figures(controllers.metrics, "keelson_controller_noop_writes_total"), []);
    const fieldSelector = "reason=Repaired";
    await until(
      async () =>
        (await api.list(resources.events, { namespace: ns, fieldSelector }, signal)).items.length > 0,
    );
  });

  test(`${serverName}: a mapped watch reconciles what it names`, async () => {
    const ns = await namespace("mapped");
    await configMap({ namespace: ns, name: "mapped-a" }, {});
    const reconciled: string[] = [];
    await using controllers = running(reconciled);
    await until(async () => reconciled.includes("mapped-a") && controllers.manager.isIdle);
    const count = () => reconciled.filter((each) => each === "mapped-a").length;
    const before = count();
    await api.mergePatch(resources.namespaces, { name: ns }, { metadata: { labels: { x: "1" } } }, signal);
    await api.mergePatch(
      resources.namespaces,
      { name: ns },
      { metadata: { annotations: { x: "1" } } },
      signal,
    );
    await until(async () => count() > before);
    assert.equal(count(), before + 1);
  });

  test(`${serverName}: a terminal failure is counted, and tried again only when its object changes`, async () => {
    const ns = await namespace("terminal");
    await configMap({ namespace: ns, name: "terminal-a" }, { fail: "terminal" });
    const reconciled: string[] = [];
    await using controllers = running(reconciled);
    const count = () => reconciled.filter((each) => each === "terminal-a").length;
    await until(async () => count() === 1);
    await until(async () => controllers.manager.isIdle);
    assert.equal(count(), 1);
    const name = "controller_runtime_terminal_reconcile_errors_total";
    assert.deepEqual(await figures(controllers.metrics, name), [1]);
  });

  test(`${serverName}: of two managers one writes; when it ends the other takes over`, async () => {
    const ns = await namespace("elected");
    const lease = { namespace: ns, name: "lock" };
    const seen: [string[], string[]] = [[], []];
    await using first = running(seen[0], { name: "first", lease });
    const holder = async () =>
      stringAt(await api.find(resources.leases, lease, signal), "spec", "holderIdentity");
    await until(async () => (await holder()) === "first");
    await using _second = running(seen[1], { name: "second", lease });
    await configMap({ namespace: ns, name: "elected-a" }, { text: "x" });
    await until(async () => seen[0].includes("elected-a"));
    assert.deepEqual(seen[1], []);
    first.stop.abort();
    await first.ended;
    await until(async () => seen[1].includes("elected-a"));
    assert.equal(await holder(), "second");
    await until(async () => {
      const { items } = await api.list(resources.events, { namespace: ns }, signal);
      const leaders = items.filter((each) => stringAt(each, "reason") === "LeaderElection");
      const messages = leaders.map((each) => stringAt(each, "message")).toSorted();
      return messages.join() === "first became leader,second became leader";
    });
  });
}

test("two controllers of one name are refused", () => {
  const [{ api }] = [{ api: {} as KubeClient }];
  const options = {
    api,
    component: "t",
    instance: "t",
    context: (parts: ManagerParts) => parts,
    metrics: new Metrics(),
    clock: systemClock,
    logger: silentLogger,
  };
  assert.throws(() => new Manager({ ...options, controllers: [mirrors(), mirrors()] }), /same name/);
});

/** Returns the values of all series of a metric with `label`. */
async function figures(metrics: Metrics, name: string, label = ""): Promise<readonly number[]> {
  const { body } = await metrics.expose();
  const lines = body.split("\n").filter((line) => line.startsWith(`${name}{`) && line.includes(label));
  return lines.map((line) => Number(line.slice(line.lastIndexOf(" "))));
}
