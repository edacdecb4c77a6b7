import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { platform } from "node:os";
import { test } from "node:test";
import { publishPorts } from "./publish-ports.ts";

// Linux accepts connections on all addresses of 127.0.0.0/8.
const skip = platform() === "linux" ? false : "needs a second loopback address";

test("a published port forwards connections on a second address to the loopback address, until it is closed", {
  skip,
}, async () => {
  const server = createServer((socket) => socket.end("hello"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address);
  const { port } = address;
  const read = async () => {
    let text = "";
    for await (const chunk of connect({ host: "127.0.0.2", port })) text += chunk;
    return text;
  };
  await assert.rejects(read());
  {
    await using _ = await publishPorts([port], ["127.0.0.2"]);
    assert.equal(await read(), "hello");
  }
  await assert.rejects(read());
  server.close();
});
