/** Administrators at the embedded service, which needs no certificates: what they ask for is carried out. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { Agent, request } from "undici";
import { Program, StateDirectory } from "./support/program.ts";

const state = new StateDirectory();
let program: Program;
let agent: Agent;
let rp: string;
let cluster: string;

before(async () => {
  program = Program.start("up", "--state", state.path, "--ports", "auto");
  await program.says(/endpoints/);
  const endpoints = JSON.parse(readFileSync(state.file("endpoints.json"), "utf8"));
  agent = new Agent({ connect: { ca: readFileSync(endpoints.caFile, "utf8") } });
  rp = endpoints.rp;
  const { subscriptionId } = endpoints;
  cluster = `/subscriptions/${subscriptionId}/resourceGroups/demo/providers/Microsoft.RedHatOpenShift/openShiftClusters/demo`;
});

after(async () => {
  await agent?.close();
  await program[Symbol.asyncDispose]();
  state[Symbol.dispose]();
});

async function call(method: "GET" | "PATCH", path: string, body?: object) {
  const answer = await request(`${rp}${path}`, {
    method,
    dispatcher: agent,
    ...(body ? { headers: { "content-type": "application/json" }, body: JSON.stringify(body) } : {}),
  });
  const operation = answer.headers["azure-asyncoperation"];
  return { status: answer.statusCode, operation, body: JSON.parse(await answer.body.text()) };
}

test("maintenance that was announced is carried out, and the cluster is as it was", async () => {
  const admin = `${cluster}?api-version=admin`;
  const announced = await call("PATCH", admin, { properties: { maintenanceTask: "Pending" } });
  assert.deepEqual(
    [announced.status, announced.operation, announced.body.properties.maintenanceState],
    [200, undefined, "Pending"],
  );
  const begun = await call("PATCH", admin, {});
  const { provisioningState, maintenanceState } = begun.body.properties;
  assert.deepEqual([begun.status, provisioningState, maintenanceState], [200, "AdminUpdating", "Planned"]);
  const { pathname, search } = new URL(`${begun.operation}`);
  const limit = Date.now() + 60_000;
  for (;;) {
    const { status, body } = await call("GET", pathname + search);
    assert.equal(status, 200);
    if (body.status === "Succeeded") break;
    assert.equal(body.status, "AdminUpdating", JSON.stringify(body));
    assert.ok(Date.now() < limit, JSON.stringify(body));
    await delay(50);
  }
  const { properties } = (await call("GET", admin)).body;
  assert.deepEqual(
    [properties.provisioningState, properties.maintenanceState, properties.maintenanceTask],
    ["Succeeded", "None", undefined],
  );
});

test("role sets are there from the start, one for each minor version", async () => {
  const { body } = await call("GET", "/admin/platformworkloadidentityrolesets");
  const minors = body.value.map((each: { name: string }) => each.name);
  assert.deepEqual(minors, ["4.16", "4.17", "4.18", "4.19", "4.20", "4.21"]);
  for (const { properties } of body.value) assert.equal(properties.platformWorkloadIdentityRoles.length, 8);
});
