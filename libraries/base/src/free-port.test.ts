import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { test } from "node:test";
import { reserveFreePort, reservePort } from "./free-port.ts";
import { freePort, freePorts } from "./testing/free-ports.ts";

test("a free port is outside the range of outgoing connections", async () => {
  const ports = await freePorts(50);
  assert.equal(new Set(ports).size, 50);
  for (const port of ports) assert.ok(port >= 10_240 && port < 32_768, `port ${port}`);
});

test("a reserved port is exclusive until it is released", async () => {
  const held = await reserveFreePort();
  assert.equal(await reservePort(held.port), undefined);
  await held[Symbol.asyncDispose]();
  await using again = await reservePort(held.port);
  assert.equal(again?.port, held.port);
});

test("a port that only UDP has taken is taken", async () => {
  const port = await freePort();
  const socket = createSocket("udp4");
  await new Promise<void>((resolve) => socket.bind(port, "127.0.0.1", resolve));
  try {
    assert.equal(await reservePort(port), undefined);
  } finally {
    socket.close();
  }
  await using free = await reservePort(port);
  assert.equal(free?.port, port);
});
