import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test } from "node:test";
import { request } from "undici";
import { endInSlices } from "./end-in-slices.ts";

const megabyte = 1_048_576;

describe("a long response", () => {
  const bytes = Buffer.alloc(20 * megabyte, "abcdefg");

  test("is sent in small parts and arrives completely", async () => {
    const responses: ServerResponse[] = [];
    await using server = createServer((_request, response) => {
      responses.push(response);
      void endInSlices(response, bytes);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { body } = await request(`http://127.0.0.1:${port}`);
    const [response] = responses;
    assert.ok(response);
    assert.ok(response.writableLength < megabyte / 2, `${response.writableLength} bytes are held`);
    assert.ok(Buffer.from(await body.arrayBuffer()).equals(bytes));
  });

  test("stops when its client disconnects", async () => {
    const began = Promise.withResolvers<{ readonly ended: Promise<void> }>();
    await using server = createServer((_request, response) => {
      began.resolve({ ended: endInSlices(response, bytes) });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { body } = await request(`http://127.0.0.1:${port}`);
    body.on("error", () => undefined).destroy();
    await (await began.promise).ended;
  });
});
