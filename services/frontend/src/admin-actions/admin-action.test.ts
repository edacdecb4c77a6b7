import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, constants } from "node:http2";
import { request } from "node:https";
import { after, before, test } from "node:test";
import { CloudError } from "@keelson/arm";
import { isPlainObject, Metrics } from "@keelson/base";
import { KubeError } from "@keelson/kube";
import { countedConnections, Gate, testAction } from "../testing/actions.ts";
import { captureLog } from "../testing/captured-log.ts";
import type { ClusterAddress } from "../testing/cluster-request.ts";
import { assertError, newCluster } from "../testing/clusters.ts";
import { startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";

const limitMs = 60_000;
const gates = new Map<string, Gate>();
const connections = countedConnections();
const log = captureLog();
const metrics = new Metrics();

/** Returns the gate at which a request with this name waits. */
function gate(name: string): Gate {
  const known = gates.get(name) ?? new Gate();
  gates.set(name, known);
  return known;
}

async function* lines(signal: AbortSignal, name: string) {
  yield `hello ${name}\n`;
  await gate(name).pass(signal);
  if (name.startsWith("broken")) throw new Error("the cable is cut");
  yield "bye";
}

const failures: Readonly<Record<string, unknown>> = {
  kube: new KubeError(422, "Invalid", "spec is wrong", {
    subject: { group: "apps", kind: "deployments", name: "web" },
  }),
  core: new KubeError(404, "NotFound", "no such pod", { subject: { group: "", kind: "pods", name: "web" } }),
  unreachable: new KubeError(0, "Unreachable", "no route to api.example"),
  azure: Object.assign(new Error("raw"), {
    statusCode: 409,
    details: { error: { code: "OperationNotAllowed", message: "quota is used up" } },
  }),
  operation: new Error("The long-running operation has failed. AllocationFailed. No room."),
  unknown: new Error("internal failure"),
  cloud: new CloudError("Forbidden", "Not this."),
};

const actions = [
  testAction("wait", async ({ signal }, { name }) => {
    await gate(`${name}`).pass(signal);
    return { status: 200, body: { done: `${name}` } };
  }),
  testAction("fail", async (_, { name }) => {
    throw failures[`${name}`];
  }),
  testAction("look", async (_, { name }) => ({ status: 200, body: `seen ${name}` }), {
    method: "GET",
    mutating: false,
  }),
  testAction(
    "many",
    async (_, { name }) => ({ status: 200, items: [{ a: 1 }, { b: 2 }].slice(0, Number(name)) }),
    { method: "GET", mutating: false },
  ),
  testAction("stream", async ({ signal }, { name }) => ({ status: 200, text: lines(signal, `${name}`) }), {
    long: { limitMs },
  }),
  testAction(
    "work",
    async ({ signal }, { name }, journal) => {
      journal.report("began");
      await gate(`${name}`).pass(signal);
      journal.report("ended");
      if (`${name}`.startsWith("broken")) throw new CloudError("InvalidParameter", "Not like that.");
      return { status: 200, body: { done: `${name}` } };
    },
    { long: { limitMs, detached: true } },
  ),
  testAction("tell", async () => ({ status: 200, text: ["one\n", "two\n"] }), {
    long: { limitMs, detached: true },
  }),
  testAction("secretive", async () => ({ status: 200 }), { recorded: () => ({ name: "[hidden]" }) }),
  testAction(
    "late",
    async ({ signal }, { name }) => {
      await gate(`${name}`).pass(signal);
      return { status: 200 };
    },
    { long: { limitMs: 50 } },
  ),
  testAction(
    "planned",
    async ({ signal }, { name }) => {
      await gate(`${name}`).pass(signal);
      return { status: 200 };
    },
    { planned: true },
  ),
];

let frontend: TestFrontend;
let shared: ClusterAddress;
before(async () => {
  frontend = await startTestFrontend({
    adminActions: actions,
    connectCluster: connections.connectCluster,
    logger: log.logger,
    metrics,
  });
  shared = await newCluster(frontend);
});
after(() => frontend[Symbol.asyncDispose]());

const pathOf = (cluster: ClusterAddress, rest: string) => `/admin${cluster.id}/${rest}`;
const caller = { "x-ms-client-principal-name": "ada@example.com" };
const post = (cluster: ClusterAddress, rest: string, headers: Record<string, string> = {}) =>
  frontend.client.post(pathOf(cluster, rest), { headers: { ...caller, ...headers } });

/** Returns the action after it has ended. */
async function ended(location: string) {
  for (const limit = AbortSignal.timeout(900_000); ; limit.throwIfAborted()) {
    const { status, json } = await frontend.client.get(new URL(location).pathname);
    assert.equal(status, 200);
    if (json.state !== "Running") return json;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test("a cluster that does not exist is not found", async () => {
  const missing = { ...shared, id: `${shared.id}x` };
  assertError(await post(missing, "wait?name=none"), 404, "ResourceNotFound");
  assertError(await frontend.client.get(pathOf(missing, "actions")), 404, "ResourceNotFound");
});

test("a cluster has one action at a time, and the second caller receives its owner", async () => {
  const name = randomUUID();
  const first = post(shared, `wait?name=${name}`);
  await gate(name).entered;
  const second = await post(shared, "fail?name=cloud");
  assertError(second, 409, "Conflict");
  assert.match(
    `${second.error.message}`,
    /^Action 'wait' \([-0-9a-f]{36}\) of 'ada@example.com', begun at 20/,
  );
  assert.equal((await frontend.client.get(pathOf(shared, "look?name=me"))).text, '"seen me"\n');
  const { body } = await metrics.expose();
  assert.match(body, new RegExp(`frontend_maintenance_unplanned\\{resourceId="${shared.id}"\\} 1`));
  gate(name).open();
  const { status, json } = await first;
  assert.deepEqual([status, json], [200, { done: name }]);
  assert.equal((await post(shared, "secretive")).status, 200);
  assert.doesNotMatch((await metrics.expose()).body, /frontend_maintenance_unplanned\{/);
  assert.equal(connections.open(), 0);
});

test("planned work acquires the cluster without a signal of unplanned maintenance", async () => {
  const name = randomUUID();
  const response = post(shared, `planned?name=${name}`);
  await gate(name).entered;
  assert.doesNotMatch((await metrics.expose()).body, /frontend_maintenance_unplanned\{/);
  gate(name).open();
  assert.equal((await response).status, 200);
});

for (const [name, status, error] of [
  ["kube", 422, { code: "Invalid", message: "spec is wrong", target: "deployments.apps/web" }],
  ["core", 404, { code: "NotFound", message: "no such pod", target: "pods/web" }],
  ["unreachable", 500, { code: "InternalServerError", message: "no route to api.example" }],
  ["azure", 409, { code: "OperationNotAllowed", message: "quota is used up" }],
  [
    "operation",
    500,
    {
      code: "AllocationFailed",
      message: "The long-running operation has failed. AllocationFailed. No room.",
    },
  ],
  ["unknown", 500, { code: "InternalServerError", message: "internal failure" }],
  ["cloud", 403, { code: "Forbidden", message: "Not this." }],
] as const) {
  test(`administrators receive the unchanged error message: ${name}`, async () => {
    const response = await post(shared, `fail?name=${name}`);
    assert.deepEqual([response.status, response.json], [status, { error }]);
  });
}

test("an array of any size is sent item by item", async () => {
  for (const [count, expected] of [
    [0, []],
    [1, [{ a: 1 }]],
    [2, [{ a: 1 }, { b: 2 }]],
  ] as const) {
    const { text, headers } = await frontend.client.get(pathOf(shared, `many?name=${count}`));
    assert.deepEqual(JSON.parse(text), expected);
    assert.equal(headers["content-type"], "application/json");
  }
});

test("text arrives as it is written, and the cluster is in use until its end", async () => {
  const name = randomUUID();
  const response = post(shared, `stream?name=${name}`);
  await gate(name).entered;
  assertError(await post(shared, "secretive"), 409, "Conflict");
  gate(name).open();
  const { text, headers, status } = await response;
  assert.deepEqual([status, headers["content-type"], text], [200, "text/plain", `hello ${name}\nbye`]);
  assert.equal((await post(shared, "secretive")).status, 200);
});

test("work beyond the time limit is aborted", async () => {
  const late = await post(shared, `late?name=${randomUUID()}`);
  assertError(late, 504, "GatewayTimeout", "'late' did not end within 0 minutes.");
  assert.equal((await post(shared, "secretive")).status, 200);
});

test("a cluster that cannot be connected to is free again", async () => {
  connections.failNext(new Error("no such place"));
  assertError(await post(shared, "secretive"), 500, "InternalServerError", "no such place");
  assert.equal((await post(shared, "secretive")).status, 200);
});

test("an error within the text breaks the connection", async () => {
  const name = `broken-${randomUUID()}`;
  gate(name).open();
  await assert.rejects(post(shared, `stream?name=${name}`));
  assert.equal((await post(shared, "secretive")).status, 200);
});

/** Functions that send a request and resolve to a function that disconnects. */
const hangUps = {
  async "HTTP/1.1"(path: string) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const outgoing = request({
      host: "127.0.0.1",
      port: new URL(frontend.url).port,
      ca: frontend.authority.certificatePem,
      servername: "localhost",
      method: "POST",
      path,
    });
    outgoing.on("error", () => resolve());
    outgoing.on("response", (incoming) => incoming.on("error", () => resolve()).resume());
    outgoing.end();
    return () => {
      outgoing.destroy();
      return promise;
    };
  },
  async "HTTP/2"(path: string) {
    const session = connect(frontend.url, { ca: frontend.authority.certificatePem });
    const stream = session.request({ ":method": "POST", ":path": path });
    stream.on("error", () => undefined);
    stream.resume();
    stream.end();
    return async () => {
      stream.close(constants.NGHTTP2_CANCEL);
      await once(stream, "close");
      session.destroy();
    };
  },
} as const;

for (const protocol of ["HTTP/1.1", "HTTP/2"] as const) {
  for (const action of ["wait", "stream"]) {
    test(`a caller who hangs up ends its action: ${action}, ${protocol}`, async () => {
      const cluster = await newCluster(frontend, `gone${action}${protocol.at(-1)}`);
      const name = randomUUID();
      const hangUp = await hangUps[protocol](pathOf(cluster, `${action}?name=${name}`));
      await gate(name).entered;
      await hangUp();
      // The loop gives up after 15 minutes, even if every request succeeds.
      for (const limit = AbortSignal.timeout(900_000); ; limit.throwIfAborted()) {
        const { json } = await frontend.client.get(pathOf(cluster, "actions"));
        const [only] = Array.isArray(json.value) ? json.value : [];
        assert.ok(isPlainObject(only));
        if (only.state === "Running") continue;
        assert.deepEqual([only.state, only.action], ["Interrupted", action]);
        break;
      }
      assert.equal((await post(cluster, "secretive")).status, 200);
    });
  }
}

for (const [how, query, headers] of [
  ["a header", "", { prefer: "wait=10, Respond-Async" }],
  ["a query", "&async=true", {}],
] as const) {
  test(`long work runs without its caller, requested by ${how}`, async () => {
    const name = randomUUID();
    const { status, headers: answered, json } = await post(shared, `work?name=${name}${query}`, headers);
    assert.equal(status, 202);
    assert.deepEqual([answered["preference-applied"], answered["retry-after"]], ["respond-async", "7"]);
    assert.equal(json.state, "Running");
    const location = `${answered.location}`;
    assert.equal(location, `${frontend.url}${pathOf(shared, "actions").toLowerCase()}/${json.id}`);
    gate(name).open();
    const { startedAt, endedAt, id, ...rest } = await ended(location);
    assert.ok(`${endedAt}` >= `${startedAt}`);
    assert.equal(id, json.id);
    assert.deepEqual(rest, {
      action: "work",
      caller: "ada@example.com",
      parameters: { name },
      state: "Succeeded",
      progress: ["began", "ended"],
      result: { done: name },
    });
  });
}

test("text of work without a caller becomes its progress", async () => {
  const name = randomUUID();
  gate(name).open();
  const { headers } = await post(shared, `stream?name=${name}&async=true`);
  const { state, progress } = await ended(`${headers.location}`);
  assert.deepEqual([state, progress], ["Succeeded", [`hello ${name}`, "bye"]]);
});

test("work without a caller ends with its error", async () => {
  const name = `broken-${randomUUID()}`;
  gate(name).open();
  const { headers } = await post(shared, `work?name=${name}&async=true`);
  const { state, error, result } = await ended(`${headers.location}`);
  assert.deepEqual(
    [state, error, result],
    ["Failed", { code: "InvalidParameter", message: "Not like that." }, undefined],
  );
});

test("detachable work continues without its caller", async () => {
  const cluster = await newCluster(frontend, "detached");
  const name = randomUUID();
  const client = frontend.connect();
  const response = client.post(pathOf(cluster, `work?name=${name}`));
  const hungUp = assert.rejects(response);
  await gate(name).entered;
  client[Symbol.dispose]();
  await hungUp;
  const { json } = await frontend.client.get(pathOf(cluster, "actions"));
  const [only] = Array.isArray(json.value) ? json.value : [];
  assert.ok(isPlainObject(only));
  assert.equal(only.state, "Running");
  gate(name).open();
  const end = await ended(`https://x${pathOf(cluster, `actions/${only.id}`)}`);
  assert.equal(end.state, "Succeeded");
});

test("the actions on a cluster are listed in pages, newest first", async () => {
  const cluster = await newCluster(frontend, "listed");
  for (let index = 0; index < 12; index++) await post(cluster, "secretive?name=p4ssword");
  await post(cluster, "fail?name=cloud");
  const first = await frontend.client.get(pathOf(cluster, "actions"));
  const value = Array.isArray(first.json.value) ? first.json.value : [];
  assert.equal(value.length, 10);
  assert.deepEqual(
    [value[0].action, value[0].state, value[0].error, value[1].state, value[1].parameters],
    ["fail", "Failed", { code: "Forbidden", message: "Not this." }, "Succeeded", { name: "[hidden]" }],
  );
  const { pathname, search } = new URL(`${first.json.nextLink}`);
  const second = await frontend.client.get(pathname + search);
  assert.deepEqual(
    [Array.isArray(second.json.value) && second.json.value.length, second.json.nextLink],
    [3, undefined],
  );
  assert.doesNotMatch(first.text + second.text, /p4ssword/);
});

test("an action is found only below its own cluster", async () => {
  const other = await newCluster(frontend, "other");
  await post(shared, "secretive");
  const { json } = await frontend.client.get(pathOf(shared, "actions"));
  const [newest] = Array.isArray(json.value) ? json.value : [];
  assert.equal((await frontend.client.get(pathOf(shared, `actions/${newest.id}`))).status, 200);
  assertError(await frontend.client.get(pathOf(other, `actions/${newest.id}`)), 404, "NotFound");
  assertError(await frontend.client.get(pathOf(shared, "actions/x")), 400, "InvalidOperationID");
});

test("each action writes an audit line with caller, action, cluster and result", async () => {
  const cluster = await newCluster(frontend, "audited");
  await post(cluster, "fail?name=cloud", { "x-ms-correlation-request-id": "corr-1" });
  await post(cluster, "secretive?name=p4ssword");
  const written = log
    .text()
    .split("\n")
    .filter((line) => line.includes('"adminAction"') && line.includes(cluster.id))
    .map((line) => JSON.parse(line));
  assert.equal(written.length, 2);
  const { caller: who, correlationId, action, parameters, outcome, code, reason, durationMs } = written[0];
  assert.deepEqual(
    [who, correlationId, action, parameters, outcome, code, reason],
    ["ada@example.com", "corr-1", "fail", { name: "cloud" }, "Failed", "Forbidden", "Not this."],
  );
  assert.equal(typeof durationMs, "number");
  assert.deepEqual(written[1].parameters, { name: "[hidden]" });
});

test("text of a detachable action reaches the waiting caller and its progress", async () => {
  const cluster = await newCluster(frontend);
  const waited = await post(cluster, "tell?name=waiting");
  assert.deepEqual([waited.status, waited.text], [200, "one\ntwo\n"]);
  assert.equal(waited.headers["content-type"], "text/plain");
  const { headers } = await post(cluster, "tell?name=alone", { prefer: "respond-async" });
  const action = await ended(`${headers.location}`);
  assert.deepEqual([action.state, action.progress], ["Succeeded", ["one", "two"]]);
});

test("a stopping frontend waits for its work without callers", async () => {
  await using stopping = await startTestFrontend({
    adminActions: actions,
    connectCluster: connections.connectCluster,
  });
  const cluster = await newCluster(stopping, "stopping");
  const name = randomUUID();
  const { status, json } = await stopping.client.post(pathOf(cluster, `work?name=${name}&async=true`));
  assert.equal(status, 202);
  await gate(name).entered;
  const stopped = stopping.stop();
  const isServing = () =>
    stopping
      .connect()
      .get("/healthz/ready")
      .then(
        () => true,
        () => false,
      );
  for (const limit = AbortSignal.timeout(900_000); await isServing(); limit.throwIfAborted());
  gate(name).open();
  await stopped;
  const { adminActions } = stopping.database.collections;
  const end = await adminActions.find(cluster.subscriptionId, `${json.id}`, AbortSignal.timeout(900_000));
  assert.equal(end?.document.state, "Succeeded");
});
