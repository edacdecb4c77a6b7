import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import { hostInUrl, listen, portOf } from "./listen.ts";

test("listen resolves to the port, and rejects if the port is in use", async () => {
  const [first, second] = [createServer(), createServer()];
  assert.throws(() => portOf(first), /not listening/);
  const port = await listen(first, "127.0.0.1", 0);
  assert.equal(portOf(first), port);
  await assert.rejects(listen(second, "127.0.0.1", port), { code: "EADDRINUSE" });
  first.close();
});

for (const [host, shown] of [
  ["0.0.0.0", "localhost"],
  ["::", "localhost"],
  ["", "localhost"],
  ["::1", "[::1]"],
  ["127.0.0.1", "127.0.0.1"],
] as const)
  test(`a server on ${JSON.stringify(host)} has the host ${shown} in URLs`, () => {
    assert.equal(hostInUrl(host), shown);
  });
