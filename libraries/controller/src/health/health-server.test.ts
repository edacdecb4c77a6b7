import assert from "node:assert/strict";
import { test } from "node:test";
import { assertKeepAlive } from "@keelson/http/testing";
import { serveHealth } from "./health-server.ts";

let synced = false;
const options = {
  host: "127.0.0.1",
  port: 0,
  live: { ping: () => {} },
  ready: {
    ping: () => {},
    caches: () => {
      if (!synced) throw new Error("caches are not filled");
    },
  },
};

async function get(port: number, path: string, method = "GET"): Promise<readonly [number, string]> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method });
  return [response.status, await response.text()];
}

test("health is reported in total, in detail and per check", async () => {
  await using server = await serveHealth(options);
  synced = false;
  assert.deepEqual(await get(server.port, "/healthz"), [200, "ok"]);
  assert.deepEqual(await get(server.port, "/healthz?verbose"), [200, "[+]ping ok\nhealthz check passed\n"]);
  const failed = "[+]ping ok\n[-]caches failed: caches are not filled\nreadyz check failed\n";
  assert.deepEqual(await get(server.port, "/readyz"), [500, failed]);
  assert.deepEqual(await get(server.port, "/readyz/ping"), [200, "ok"]);
  assert.equal((await get(server.port, "/readyz/caches"))[0], 500);
  synced = true;
  assert.deepEqual(await get(server.port, "/readyz"), [200, "ok"]);
});

for (const [path, method, status] of [
  ["/", "GET", 404],
  ["/healthz/unknown", "GET", 404],
  ["/healthz/constructor", "GET", 404],
  ["/__proto__", "GET", 404],
  ["/healthz/ping/more", "GET", 404],
  ["/healthz", "POST", 405],
] as const) {
  test(`${method} ${path} answers ${status}`, async () => {
    await using server = await serveHealth(options);
    assert.equal((await get(server.port, path, method))[0], status);
  });
}

test("idle connections of clients stay open for as long as every listener keeps them", async () => {
  await using server = await serveHealth(options);
  await assertKeepAlive(`http://127.0.0.1:${server.port}/healthz`);
});
