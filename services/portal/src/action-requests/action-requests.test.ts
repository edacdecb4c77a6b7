/** Tests actions that a browser runs through the portal. The admin API in these tests verifies the person's token. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { remove } from "@keelson/database";
import type { ActionForms, ActionRequestView } from "@keelson/portal-api";
import { actionFormsSchema, actionOutcomeSchema, actionRequestSchema } from "@keelson/portal-api";
import type { TSchema } from "typebox";
import { Value } from "typebox/value";
import { storeCluster, subscriptionId } from "../testing/store-cluster.ts";
import { type Person, startTestPortal, type TestPortal, testScope } from "../testing/test-portal.ts";

const signal = AbortSignal.timeout(900_000);
let at: TestPortal;
let url: string;
let id: string;
let reader: Person;
let operator: Person;
let administrator: Person;

before(async () => {
  at = await startTestPortal({ withAdminApi: true });
  url = at.portal.url;
  id = await storeCluster(at.database, {}, "demo");
  [reader, operator, administrator] = await Promise.all([
    at.signedIn("reader"),
    at.signedIn("operator"),
    at.signedIn("administrator"),
  ]);
});
beforeEach(() => {
  at.adminApi.calls.length = 0;
  at.adminApi.respondWith(() => ({ status: 200 }));
});
after(() => at?.[Symbol.asyncDispose]());

const dataOf = (resourceId: string) => {
  const [, , subscription, , group, , , , name] = resourceId.split("/");
  return `/api/${subscription}/${group}/${name}`;
};

async function send({ browser, csrf }: Person, method: string, path: string, body?: unknown, origin = url) {
  const headers = { "x-csrf-token": csrf, "content-type": "application/json" };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const { status, text, headers: received } = await browser.send(origin, path, { method, headers, ...sent });
  return { status, received, value: text === "" ? undefined : JSON.parse(text) };
}

async function ok<T>(
  response: Promise<{ readonly status: number; readonly value: unknown }>,
  schema: TSchema,
): Promise<T> {
  const { status, value } = await response;
  assert.equal(status, 200, JSON.stringify(value));
  assert.deepEqual([...Value.Errors(schema, value)], []);
  return value as T;
}

const startVm = { action: "POST startvm", query: { vmName: "demo-master-0" } };
const stopVm = { action: "POST stopvm", query: { vmName: "demo-master-0", deallocateVM: "true" } };

const prepare = (person: Person, body: object, resourceId = id) =>
  ok<ActionRequestView>(
    send(person, "POST", `${dataOf(resourceId)}/action-requests`, body),
    actionRequestSchema,
  );
const run = (person: Person, request: ActionRequestView, more: object = {}, origin = url) =>
  send(
    person,
    "POST",
    `${dataOf(id)}/action-requests/${request.id}/run`,
    { token: request.confirmation?.token ?? "", ...more },
    origin,
  );

test("forms have the declared actions with the rights of the person", async () => {
  const read = (person: Person) =>
    ok<{ forms: { action: string; allowed: boolean; destructive: boolean }[] }>(
      send(person, "GET", "/api/action-forms"),
      actionFormsSchema,
    );
  const allowed = async (person: Person) => {
    const { forms } = await read(person);
    return ["GET top/nodes", "POST startvm", "POST resize"].map(
      (name) => forms.find(({ action }) => action === name)?.allowed,
    );
  };
  assert.deepEqual(await allowed(reader), [true, false, false]);
  assert.deepEqual(await allowed(operator), [true, true, false]);
  assert.deepEqual(await allowed(administrator), [true, true, true]);
});

test("forms name the admin API and the scope of its access tokens", async () => {
  const { adminApi, adminScope } = await ok<ActionForms>(
    send(reader, "GET", "/api/action-forms"),
    actionFormsSchema,
  );
  assert.deepEqual([adminApi, adminScope], [at.adminApi.url, testScope]);
});

test("an action runs with the token of the person, which no browser receives", async () => {
  const request = await prepare(operator, startVm);
  assert.equal(request.state, "Ready");
  const ended = await ok<ActionRequestView>(run(operator, request), actionRequestSchema);
  assert.deepEqual([ended.state, ended.outcome?.state], ["Ended", "Succeeded"]);
  const [call] = at.adminApi.calls;
  assert.ok(call);
  assert.match(
    call.url,
    /^\/admin\/subscriptions\/[^/]+\/resourceGroups\/.*\/demo\/startvm\?vmName=demo-master-0$/,
  );
  assert.deepEqual([call.method, call.rights], ["POST", "operator"]);
  assert.match(call.subject, /^[0-9a-f-]{36}\/[0-9a-f-]{36}$/);
  assert.deepEqual(
    [call.headers["x-keelson-action-request"], call.headers.prefer],
    [request.id, "respond-async"],
  );
  const cookies = [...operator.browser.cookies.values()].join();
  assert.ok(!cookies.includes(call.token) && !JSON.stringify(ended).includes(call.token));
  assert.ok(!JSON.stringify(at.lines).includes(call.token));
  const line = at.lines.findLast((each) => each.logKind === "audit" && each.actionRequest === request.id);
  assert.deepEqual(
    [line?.subject, line?.role, line?.action, line?.outcome],
    [call.subject, "operator", "POST startvm", "Succeeded"],
  );
});

test("a repeated submit runs an action once, on every portal", async () => {
  await using other = await at.startAnother();
  const request = await prepare(operator, startVm);
  const responses = await Promise.all([
    run(operator, request),
    run(operator, request),
    run(operator, request, {}, other.url),
    run(operator, request, {}, other.url),
  ]);
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  const again = await ok<ActionRequestView>(run(operator, request), actionRequestSchema);
  assert.deepEqual([again.state, again.outcome?.state], ["Ended", "Succeeded"]);
  assert.equal(at.adminApi.calls.length, 1);
});

test("a long action is followed to its end", async () => {
  let state = "Running";
  at.adminApi.respondWith(({ method, url: target }) =>
    method === "POST"
      ? { status: 202, body: "{}", headers: { location: `https://x/admin${id}/actions/7` } }
      : {
          status: target.endsWith("/actions/7") ? 200 : 404,
          body: JSON.stringify({ state, progress: ["waits for the machine"] }),
          headers: { "content-type": "application/json" },
        },
  );
  const request = await prepare(operator, startVm);
  const running = await ok<ActionRequestView>(run(operator, request), actionRequestSchema);
  assert.deepEqual([running.state, running.outcome?.state], ["Submitted", "Running"]);
  state = "Succeeded";
  const path = `${dataOf(id)}/action-requests/${request.id}`;
  const ended = await ok<ActionRequestView>(send(reader, "GET", path), actionRequestSchema);
  assert.deepEqual(
    [ended.state, ended.outcome?.state, ended.outcome?.content, ended.isOwn],
    ["Ended", "Succeeded", "waits for the machine", false],
  );
});

test("a running action is followed while the admin API is busy, and after a lost connection", async () => {
  const json = { "content-type": "application/json" };
  const headers = { location: `https://x/admin${id}/actions/7` };
  let poll: () => { status: number; body: string } = () => ({ status: 429, body: "" });
  at.adminApi.respondWith(({ method }) =>
    method === "POST" ? { status: 202, body: "{}", headers } : { ...poll(), headers: json },
  );
  const request = await prepare(operator, startVm);
  await ok<ActionRequestView>(run(operator, request), actionRequestSchema);
  const path = `${dataOf(id)}/action-requests/${request.id}`;
  const read = () => ok<ActionRequestView>(send(operator, "GET", path), actionRequestSchema);
  const error = { code: "Throttled", message: "Too many requests." };
  for (const [status, body, code] of [
    [429, JSON.stringify({ error }), "Throttled"],
    [500, "", "500"],
    [503, "<html>", "503"],
    [200, "{", "ClusterResponseInvalid"],
  ] as const) {
    poll = () => ({ status, body });
    const { state, outcome } = await read();
    assert.deepEqual([state, outcome?.state, outcome?.error?.code], ["Submitted", "Running", code]);
  }
  poll = () => ({ status: 200, body: JSON.stringify({ state: "Succeeded", progress: ["done"] }) });
  const ended = await read();
  assert.deepEqual([ended.state, ended.outcome?.state], ["Ended", "Succeeded"]);
  poll = () => ({ status: 404, body: JSON.stringify({ error }) });
  assert.deepEqual([(await read()).outcome?.state], ["Unknown"]);
});

describe("an action is refused", () => {
  test("without the role, before anything is stored or called", async () => {
    const { status } = await send(reader, "POST", `${dataOf(id)}/action-requests`, startVm);
    assert.equal(status, 403);
    const list = await send(reader, "GET", `${dataOf(id)}/action-requests`);
    assert.ok(
      list.value.requests.every(({ requestedBy }: ActionRequestView) => !/^reader/.test(requestedBy)),
    );
  });

  test("without the token of the sign-in against forged requests", async () => {
    const { browser } = operator;
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify(startVm);
    const path = `${dataOf(id)}/action-requests`;
    assert.equal((await browser.send(url, path, { method: "POST", headers, body })).status, 403);
  });

  test("with parameters that the action rejects, or does not have", async () => {
    for (const body of [
      { action: "POST startvm", query: { vmName: "../x" } },
      { action: "POST startvm", query: { vmName: "a", other: "b" } },
      { action: "POST startvm", query: { vmName: "a" }, body: {} },
      { action: "POST nosuch", query: {} },
      { action: "GET top/nodes", query: {} },
      { action: "POST startvm", query: { "vm name": "a" } },
    ])
      assert.equal(
        (await send(administrator, "POST", `${dataOf(id)}/action-requests`, body)).status,
        400,
        JSON.stringify(body),
      );
  });

  test("with the token of a different request, and by a different person", async () => {
    const [one, two] = [await prepare(operator, startVm), await prepare(operator, startVm)];
    const crossed = { ...one, confirmation: two.confirmation };
    assert.equal((await run(operator, crossed as ActionRequestView)).status, 403);
    assert.equal((await run(administrator, one)).status, 403);
    const refused = at.lines.findLast(({ logKind }) => logKind === "audit");
    assert.deepEqual([refused?.status, refused?.role, refused?.actionRequest], [403, "elevated", one.id]);
    assert.match(`${refused?.subject}`, /^[0-9a-f-]{36}\/[0-9a-f-]{36}$/);
    assert.deepEqual(at.adminApi.calls, []);
  });

  test("at the path of a different cluster", async () => {
    const other = await storeCluster(at.database, {}, "other");
    const request = await prepare(operator, startVm);
    const path = `${dataOf(other)}/action-requests/${request.id}/run`;
    const body = { token: request.confirmation?.token };
    assert.equal((await send(operator, "POST", path, body)).status, 404);
    assert.deepEqual(at.adminApi.calls, []);
  });

  test("for a new cluster of the name", async () => {
    const old = await storeCluster(at.database, {}, "renewed");
    const request = await prepare(operator, startVm, old);
    const { clusters } = at.database.collections;
    const stored = await clusters.findBy(subscriptionId, "key", old, signal);
    assert.ok(stored);
    await at.database.commit(subscriptionId, [remove(clusters, stored)], { signal });
    await storeCluster(at.database, {}, "renewed");
    const path = `${dataOf(old)}/action-requests/${request.id}/run`;
    const body = { token: request.confirmation?.token };
    assert.equal((await send(operator, "POST", path, body)).status, 403);
    assert.deepEqual(at.adminApi.calls, []);
  });

  test("if it is destructive and the cluster's name is not typed", async () => {
    const request = await prepare(administrator, stopVm);
    for (const more of [{}, { cluster: "other" }])
      assert.equal((await run(administrator, request, more)).status, 403);
    assert.deepEqual(at.adminApi.calls, []);
    assert.equal((await run(administrator, request, { cluster: "demo" })).status, 200);
    assert.equal(at.adminApi.calls.length, 1);
  });
});

test("maintenance is planned and cancelled as other actions", async () => {
  const task = "888fc221-b059-49db-bd02-22ad86cccd6b";
  const plan = { action: "PUT maintenancemanifests", query: {}, body: { maintenanceTaskID: task } };
  await run(operator, await prepare(operator, plan));
  const cancel = { action: "POST maintenancemanifests/:manifestId/cancel", query: { manifestId: "a-b_1" } };
  await run(operator, await prepare(operator, cancel));
  assert.deepEqual(
    at.adminApi.calls.map(({ method, url: target, body }) => [method, target.split("/demo/").at(-1), body]),
    [
      ["PUT", "maintenancemanifests", JSON.stringify(plan.body)],
      ["POST", "maintenancemanifests/a-b_1/cancel", ""],
    ],
  );
  for (const body of [
    { ...plan, body: {} },
    { ...plan, query: { manifestId: "a" } },
    ...["..", ".", "a/b", "a%2Fb", "", "a b", "x".repeat(129)].map((manifestId) => ({
      ...cancel,
      query: { manifestId },
    })),
  ])
    assert.equal((await send(operator, "POST", `${dataOf(id)}/action-requests`, body)).status, 400);
});

test("an error of the admin API is the outcome of the action", async () => {
  const error = { code: "Conflict", message: "Maintenance is changing this cluster." };
  at.adminApi.respondWith(() => ({
    status: 409,
    body: JSON.stringify({ error }),
    headers: { "content-type": "application/json" },
  }));
  const request = await prepare(operator, startVm);
  const ended = await ok<ActionRequestView>(run(operator, request), actionRequestSchema);
  assert.deepEqual([ended.outcome?.state, ended.outcome?.error], ["Failed", error]);
});

test("an action whose response is lost is not repeated", async () => {
  at.adminApi.respondWith(() => ({
    status: 200,
    body: "{",
    headers: { "content-type": "application/json" },
  }));
  const request = await prepare(operator, startVm);
  const ended = await ok<ActionRequestView>(run(operator, request), actionRequestSchema);
  assert.equal(ended.outcome?.state, "Unknown");
  await run(operator, request);
  assert.equal(at.adminApi.calls.length, 1);
});

describe("an action that reads", () => {
  const read = (person: Person, action: string, query = {}) =>
    send(person, "POST", `${dataOf(id)}/admin-reads`, { action, query });

  test("returns what the cluster wrote as strings of the portal's JSON", async () => {
    const body = "<script>alert(1)</script>\u001b[2J";
    at.adminApi.respondWith(() => ({ status: 200, body, headers: { "content-type": "text/html" } }));
    const { status, value, received } = await read(reader, "GET serialconsole", { vmName: "demo-master-0" });
    assert.equal(status, 200);
    assert.deepEqual([...Value.Errors(actionOutcomeSchema, value)], []);
    assert.equal(value.content, body);
    assert.deepEqual(
      ["content-type", "content-security-policy", "content-disposition", "x-content-type-options"].map(
        (name) => received[name],
      ),
      ["application/json", "default-src 'none'; sandbox", "attachment", "nosniff"],
    );
    assert.equal(at.adminApi.calls[0]?.rights, "reader");
  });

  test("does not run one that changes the cluster", async () => {
    assert.equal((await read(administrator, "POST startvm", { vmName: "a" })).status, 400);
    assert.deepEqual(at.adminApi.calls, []);
  });
});

test("the tokens of a sign-in end with it", async () => {
  const { portalSignIns } = at.database.collections;
  const count = async () => (await portalSignIns.list({ limit: 100 }, signal)).items.length;
  const person = await at.signedIn("operator");
  const before = await count();
  await send(person, "POST", "/api/logout");
  assert.equal(await count(), before - 1);
});
