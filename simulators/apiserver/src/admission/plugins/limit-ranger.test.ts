import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type KubeObject, sharedTurns } from "@keelson/apimachinery";
import { silentLogger, WorkBudget } from "@keelson/base";
import { administrator } from "../../auth/user.ts";
import { Cluster } from "../../cluster/cluster.ts";
import { TestServer } from "../../testing/test-server.ts";
import { limitRanger } from "./limit-ranger.ts";
import type { ObjectRequest, PluginContext } from "./plugin.ts";

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server[Symbol.asyncDispose]());

const containers = Array.from({ length: 100 }, (_, at) => ({
  name: `c${at}`,
  image: "a",
  resources: { requests: { cpu: "3" }, limits: { cpu: "3" } },
}));

async function contextWith(limits: readonly object[]): Promise<PluginContext> {
  const { cluster } = server;
  assert.ok(cluster instanceof Cluster);
  const { store, directory, clock } = cluster.context;
  const { revision = 0 } = store.get("/limitranges", "default/many") ?? {};
  const metadata = { name: "many", namespace: "default" };
  store.put("/limitranges", "default/many", revision, {
    apiVersion: "v1",
    kind: "LimitRange",
    metadata,
    spec: { limits },
  });
  await store.settled();
  const authorizer = { allows: () => true };
  const { signal } = new AbortController();
  const disabledPlugins = new Set<string>();
  return { store, directory, clock, logger: silentLogger, authorizer, signal, disabledPlugins };
}

function creation({ directory }: PluginContext, budget?: WorkBudget): ObjectRequest {
  const object: KubeObject = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", namespace: "default" },
    spec: { containers },
  };
  return {
    operation: "CREATE",
    resource: directory.get({ group: "", version: "v1", resource: "pods" }),
    subresource: "",
    namespace: "default",
    name: "p",
    object,
    oldObject: undefined,
    user: administrator,
    budget,
    dryRun: false,
    options: {},
    warn: () => undefined,
  };
}

const many = (limit: object) => Array.from({ length: 100 }, () => ({ type: "Container", ...limit }));
const small = () => new WorkBudget({ nodes: 1_000, bytes: 1_000_000, timeMs: 60_000 });

test("many limits of many containers are checked in turns and within the budget", async () => {
  const context = await contextWith(many({ min: { cpu: "1" }, max: { cpu: "4" } }));
  const judged = limitRanger.validate?.(creation(context), context);
  assert.ok(sharedTurns.waiting > 0);
  await judged;
  const dear = limitRanger.validate?.(creation(context, small()), context);
  await assert.rejects(Promise.resolve(dear), { code: "WorkBudgetExceeded", limit: "nodes" });
});

test("an error lists each violation once, up to a limit", async () => {
  const same = await contextWith(many({ max: { cpu: "2" } }));
  await assert.rejects(Promise.resolve(limitRanger.validate?.(creation(same), same)), {
    message: 'pods "p" is forbidden: maximum cpu usage per Container is 2, but limit is 3',
  });
  const max = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`example.com/r${at}`, "1"]));
  const others = await contextWith([{ type: "Container", max }]);
  await assert.rejects(Promise.resolve(limitRanger.validate?.(creation(others), others)), (error: Error) => {
    assert.equal(error.message.split("No limit is specified").length, 101);
    assert.match(error.message, /, and more\]$/);
    return true;
  });
});

test("defaults of many containers are set in turns and within the budget", async () => {
  const defaults = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`example.com/r${at}`, "1"]));
  const context = await contextWith([{ type: "Container", default: defaults }]);
  const given = limitRanger.mutate?.(creation(context), context);
  assert.ok(sharedTurns.waiting > 0);
  await given;
  const dear = limitRanger.mutate?.(creation(context, small()), context);
  await assert.rejects(Promise.resolve(dear), { code: "WorkBudgetExceeded", limit: "nodes" });
});
