import assert from "node:assert/strict";
import { once } from "node:events";
import { duplexPair } from "node:stream";
import { test } from "node:test";
import fc from "fast-check";
import { spdyDictionary } from "./dictionary.ts";
import { controlFrame, dataFrame, frameTypes, readFrameHead, words } from "./frames.ts";
import { headerCodec, pack, unpack } from "./header-block.ts";
import { SpdySession, type SpdyStream } from "./session.ts";

test("the dictionary is that of SPDY/3", () => {
  assert.equal(spdyDictionary.length, 1_423);
  // zlib identifies a dictionary by its Adler-32 checksum. The expected value is from the SPDY/3 specification.
  let [a, b] = [1, 0];
  for (const byte of spdyDictionary) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  assert.equal((b * 65_536 + a).toString(16), "e3c6a7c2");
});

const headers = fc
  .dictionary(
    fc.string({ minLength: 1 }).map((name) => name.toLowerCase()),
    fc.string({ unit: "grapheme" }),
  )
  .map((entries) => new Map(Object.entries(entries)));

test("headers survive packing and successive compression", async () => {
  fc.assert(fc.property(headers, (each) => assert.deepEqual(unpack(pack(each)), each)));
  using codec = headerCodec();
  await fc.assert(
    fc.asyncProperty(headers, async (each) =>
      assert.deepEqual(await codec.decode(await codec.encode(each)), each),
    ),
  );
});

test("truncated and invalid header blocks are rejected", () => {
  fc.assert(
    fc.property(headers, fc.nat(), (each, at) => {
      const block = pack(each);
      if (each.size > 0) assert.throws(() => unpack(block.subarray(0, at % block.length)));
    }),
  );
});

test("frame headers are parsed", () => {
  assert.deepEqual(readFrameHead(dataFrame(7, Buffer.from("abc"), true)), {
    kind: "data",
    stream: 7,
    flags: 1,
    length: 3,
  });
  assert.deepEqual(readFrameHead(controlFrame(frameTypes.ping, words(9))), {
    kind: "control",
    version: 3,
    type: 6,
    flags: 0,
    length: 4,
  });
});

test("a session responds to pings, opens streams and accepts data in any fragmentation", async () => {
  const [client, server] = duplexPair();
  const streams: SpdyStream[] = [];
  const session = new SpdySession(server, (stream) => streams.push(stream));
  const running = session.run();
  using codec = headerCodec();
  const block = await codec.encode(new Map([["streamtype", "data"]]));
  const open = controlFrame(frameTypes.synStream, Buffer.concat([words(1, 0), Buffer.alloc(2), block]));
  const bytes = Buffer.concat([
    controlFrame(frameTypes.ping, words(5)),
    open,
    dataFrame(1, Buffer.from("hello"), true),
  ]);
  for (const byte of bytes) client.write(Buffer.of(byte));
  const [response] = await once(client, "data");
  assert.deepEqual(Buffer.from(response).subarray(0, 12), controlFrame(frameTypes.ping, words(5)));
  client.resume();
  while (streams.length === 0) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(streams[0]?.headers.get("streamtype"), "data");
  let heard = "";
  for await (const chunk of streams[0]?.duplex ?? []) heard += String(chunk);
  assert.equal(heard, "hello");
  client.end();
  await running;
});

test("after GOAWAY, the connection stays open until the client closes it", async () => {
  const [client, server] = duplexPair();
  const session = new SpdySession(server, () => undefined);
  const running = session.run();
  let ended = false;
  client.once("end", () => {
    ended = true;
  });
  session.close();
  const [goAway] = await once(client, "data");
  assert.deepEqual(Buffer.from(goAway), controlFrame(frameTypes.goAway, words(0, 0)));
  client.write(controlFrame(frameTypes.ping, words(1)));
  const [ping] = await once(client, "data");
  assert.deepEqual(Buffer.from(ping), controlFrame(frameTypes.ping, words(1)));
  assert.equal(ended, false);
  client.end();
  await running;
});

test("invalid SPDY and compression bombs end a session", async () => {
  using codec = headerCodec();
  const bomb = await codec.encode(new Map([["a", "x".repeat(10_000_000)]]));
  const hostile = [
    controlFrame(frameTypes.synStream, Buffer.alloc(1_000_000)).subarray(0, 100),
    controlFrame(frameTypes.synStream, Buffer.concat([words(1, 0), Buffer.alloc(2), bomb])),
    controlFrame(frameTypes.rstStream, Buffer.alloc(1)),
  ];
  let accepted = 0;
  for (const bytes of hostile) {
    const [client, server] = duplexPair();
    client.on("error", () => undefined);
    client.resume();
    const running = new SpdySession(server, () => accepted++).run();
    // The client keeps the connection open. The session must end because of the invalid data.
    client.write(bytes);
    await running;
  }
  const [client, server] = duplexPair();
  client.resume();
  const running = new SpdySession(server, () => accepted++).run();
  client.end("GET / HTTP/1.1\r\n\r\n".repeat(100));
  await running;
  assert.equal(accepted, 0);
});
