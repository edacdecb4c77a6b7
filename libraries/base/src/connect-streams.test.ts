import assert from "node:assert/strict";
import { once } from "node:events";
import { duplexPair } from "node:stream";
import { test } from "node:test";
import { connectStreams } from "./connect-streams.ts";

function connected() {
  const [client, near] = duplexPair();
  const [far, server] = duplexPair();
  connectStreams(near, far);
  return { client, near, far, server };
}

test("bytes pass in both directions", async () => {
  const { client, server } = connected();
  client.write("ping");
  assert.equal(String((await once(server, "data"))[0]), "ping");
  server.write("pong");
  assert.equal(String((await once(client, "data"))[0]), "pong");
});

for (const failing of ["near", "far"] as const)
  test(`an error of the ${failing} stream closes both and reaches no caller`, async () => {
    const streams = connected();
    const other = streams[failing === "near" ? "far" : "near"];
    const closed = once(other, "close");
    streams[failing].destroy(new Error("reset"));
    await closed;
    assert.equal(other.destroyed, true);
  });
