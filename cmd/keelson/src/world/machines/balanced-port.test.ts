import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { test } from "node:test";
import { BalancedPort } from "./balanced-port.ts";

/** Starts a server that sends its name on each connection and keeps the connection open. */
async function backend(name: string) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.write(name);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

async function client(port: number) {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  const closed = once(socket, "close");
  const greeting = await Promise.race([
    once(socket, "data").then(([data]) => String(data)),
    closed.then(() => ""),
  ]);
  return { socket, greeting, closed };
}

test("connections go to backends in turn, stay there when they are no longer ready, and end with them", async () => {
  await using one = await backend("one");
  await using two = await backend("two");
  let ready: readonly number[] = [one.port, two.port];
  await using balanced = await BalancedPort.open(0, () => ready);
  const first = await client(balanced.port);
  const second = await client(balanced.port);
  assert.deepEqual([first.greeting, second.greeting].toSorted(), ["one", "two"]);
  ready = [two.port];
  assert.equal((await client(balanced.port)).greeting, "two");
  const ofOne = first.greeting === "one" ? first : second;
  one.sockets[0]?.write("still here");
  assert.equal(String((await once(ofOne.socket, "data"))[0]), "still here");
  one.sockets[0]?.destroy();
  await ofOne.closed;
});

test("a connection ends at once where nothing is ready, and where the backend refuses it", async () => {
  let ready: readonly number[] = [];
  await using balanced = await BalancedPort.open(0, () => ready);
  assert.equal((await client(balanced.port)).greeting, "");
  {
    await using gone = await backend("gone");
    ready = [gone.port];
  }
  assert.equal((await client(balanced.port)).greeting, "");
});
