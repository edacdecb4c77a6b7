import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";
import { TestServer } from "./testing/test-server.ts";

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server[Symbol.asyncDispose]());

const pods = "/api/v1/namespaces/default/pods";

/** Creates a running pod. */
async function addPod(name: string, app: string, ready = true): Promise<void> {
  const metadata = { name, labels: { app } };
  await server.call("POST", pods, {
    body: { metadata, spec: { containers: [{ name: "c", image: "i" }] } },
  });
  const conditions = [{ type: "Ready", status: ready ? "True" : "False" }];
  const response = await server.call("PATCH", `${pods}/${name}/status`, {
    body: { status: { phase: "Running", conditions } },
    headers: { "content-type": "application/merge-patch+json" },
  });
  assert.equal(response.status, 200, response.text);
}

async function addBudget(app: string, spec: object): Promise<void> {
  const body = { metadata: { name: app }, spec: { ...spec, selector: { matchLabels: { app } } } };
  const path = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
  assert.equal((await server.call("POST", path, { body })).status, 201);
}

function evict(name: string, more: object = {}, query = "") {
  const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name }, ...more };
  return server.call("POST", `${pods}/${name}/eviction${query}`, { body });
}

for (const apiVersion of ["policy/v1", "policy/v1beta1"]) {
  test(`an eviction of ${apiVersion} deletes the pod`, async () => {
    await addPod("gone", "free");
    const response = await evict("gone", { apiVersion });
    assert.deepEqual([response.status, scalarStringAt(response.body, "status")], [201, "Success"]);
    assert.equal((await server.call("GET", `${pods}/gone`)).status, 404);
    assert.equal((await evict("gone", { apiVersion })).status, 404);
  });
}

test("an eviction beyond the disruption budget fails with 429", async () => {
  for (const name of ["a", "b", "c"]) await addPod(name, "kept");
  await addBudget("kept", { minAvailable: 2 });
  assert.equal((await evict("a")).status, 201);
  const refused = await evict("b");
  assert.equal(refused.status, 429);
  assert.equal(scalarStringAt(refused.body, "reason"), "TooManyRequests");
  assert.deepEqual(valueAt(refused.body, "details", "causes"), [
    {
      reason: "DisruptionBudget",
      message: "The disruption budget kept needs 2 healthy pods and has 2 currently",
    },
  ]);
  assert.equal((await server.call("GET", `${pods}/b`)).status, 200);
  await addPod("d", "kept");
  assert.equal((await evict("b")).status, 201);
});

for (const [what, spec, code] of [
  ["half of four may be evicted", { minAvailable: "50%" }, 201],
  ["all must stay", { minAvailable: "100%" }, 429],
  ["one may be unavailable", { maxUnavailable: 1 }, 201],
  ["zero may be unavailable", { maxUnavailable: 0 }, 429],
  ["a quarter may be unavailable", { maxUnavailable: "25%" }, 201],
] as const) {
  test(`an eviction with a budget by which ${what} returns ${code}`, async () => {
    const app = what.replaceAll(" ", "-");
    for (const at of [1, 2, 3, 4]) await addPod(`${app}-${at}`, app);
    await addBudget(app, spec);
    assert.equal((await evict(`${app}-1`)).status, code);
  });
}

test("an unready pod can be evicted if the other pods satisfy the budget", async () => {
  await addPod("well", "mixed");
  await addPod("ill", "mixed", false);
  await addBudget("mixed", { minAvailable: 1 });
  assert.equal((await evict("ill")).status, 201);
  assert.equal((await evict("well")).status, 429);
});

test("dry runs, invalid bodies and failed preconditions do not evict", async () => {
  await addPod("stays", "stays");
  assert.equal((await evict("stays", {}, "?dryRun=All")).status, 201);
  assert.equal((await evict("stays", { kind: "Pod", apiVersion: "v1" })).status, 400);
  assert.equal((await evict("stays", { metadata: { name: "other" } })).status, 400);
  const deleteOptions = { preconditions: { uid: "another" } };
  assert.equal((await evict("stays", { deleteOptions })).status, 409);
  assert.equal((await server.call("GET", `${pods}/stays`)).status, 200);
});
