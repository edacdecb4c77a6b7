import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { ArmClient } from "../e2e/support/arm-client.ts";
import type { FixtureFacts } from "./fixture.ts";

const apiVersion = "2023-11-22";
const limitMs = 600_000;

/**
 * Checks that the current version can use an earlier version's data. Checks the completed cluster with its secrets, the
 * interrupted operations, and new operations on existing clusters.
 */
export async function checkTakenOver(client: ArmClient, facts: FixtureFacts): Promise<void> {
  const path = (name: string, suffix = "") => `${client.cluster(name, suffix)}?api-version=${apiVersion}`;
  const demo = await client.call("GET", path("demo"));
  assert.deepEqual(demo.body, facts.demo.cluster);
  const credentials = await client.call("POST", path("demo", "/listCredentials"));
  assert.deepEqual(credentials.body, facts.demo.credentials);
  assert.equal(await client.terminal(facts.creating, limitMs), "Succeeded");
  await gone(client, path(facts.deleting));
  const tags = { upgraded: "yes" };
  const patched = await client.call("PATCH", path("demo"), { tags });
  assert.ok(patched.status < 300, JSON.stringify(patched.body));
  assert.equal(await client.terminal("demo", limitMs), "Succeeded");
  assert.deepEqual((await client.call("GET", path("demo"))).body.tags, tags);
  for (const name of ["demo", facts.creating]) {
    assert.equal((await client.call("DELETE", path(name))).status, 202);
    await gone(client, path(name));
  }
}

async function gone(client: ArmClient, path: string): Promise<void> {
  for (const until = performance.now() + limitMs; ; await delay(200)) {
    const { status, body } = await client.call("GET", path);
    if (status === 404) return;
    assert.notEqual(body.properties?.provisioningState, "Failed", JSON.stringify(body));
    assert.ok(performance.now() < until, `${path} is still ${body.properties?.provisioningState}`);
  }
}
