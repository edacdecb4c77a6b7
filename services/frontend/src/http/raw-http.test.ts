import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, test } from "node:test";
import { connect, type TLSSocket } from "node:tls";
import fc from "fast-check";
import { clusterAddress, current } from "../testing/cluster-request.ts";
import { startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";

const { url } = clusterAddress("00000000-0000-0000-0000-000000000001", "raw");
const limitMs = 300_000;

describe("bytes that are no proper HTTP", () => {
  let frontend: TestFrontend;
  before(async () => {
    frontend = await startTestFrontend();
  });
  after(() => frontend[Symbol.asyncDispose]());

  async function open(protocol: "http/1.1" | "h2"): Promise<TLSSocket> {
    const { hostname, port } = new URL(frontend.url);
    const socket = connect({
      host: hostname,
      port: Number(port),
      ca: frontend.authority.certificatePem,
      servername: "localhost",
      ALPNProtocols: [protocol],
    });
    socket.on("error", () => undefined);
    await once(socket, "secureConnect");
    return socket;
  }

  /** Sends the bytes, closes the sending side, and reads until the peer closes the connection. */
  async function converse(bytes: string | Uint8Array, protocol: "http/1.1" | "h2"): Promise<string> {
    const socket = await open(protocol);
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const late = setTimeout(() => socket.destroy(), limitMs);
    socket.end(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
    await closed;
    clearTimeout(late);
    return Buffer.concat(chunks).toString("latin1");
  }

  /** Returns the status of the first response, if any. */
  async function request(
    bytes: string | Uint8Array,
    protocol: "http/1.1" | "h2" = "http/1.1",
  ): Promise<number | undefined> {
    const status = /^HTTP\/1\.1 (\d{3})/.exec(await converse(bytes, protocol))?.[1];
    return status === undefined ? undefined : Number(status);
  }

  async function assertServes(): Promise<void> {
    assert.equal((await frontend.client.get("/healthz/ready")).status, 200);
  }

  const head = (method: string, ...lines: string[]) =>
    [`${method} ${url} HTTP/1.1`, "Host: localhost", ...lines, "", ""].join("\r\n");
  const json = "Content-Type: application/json";
  const chunked = "Transfer-Encoding: chunked";
  const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  const body = (text: string) =>
    `${head("PUT", json, `Content-Length: ${text.length}`, "Connection: close")}${text}`;

  const requests: readonly { readonly name: string; readonly bytes: string }[] = [
    { name: "a chunk whose size is no number", bytes: `${head("PUT", json, chunked)}zz\r\nabc\r\n0\r\n\r\n` },
    { name: "a chunk of a negative size", bytes: `${head("PUT", json, chunked)}-1\r\nabc\r\n0\r\n\r\n` },
    { name: "a chunk of astronomic size", bytes: `${head("PUT", json, chunked)}ffffffffffffffff\r\nabc` },
    { name: "a chunk longer than it says", bytes: `${head("PUT", json, chunked)}1\r\nabc\r\n0\r\n\r\n` },
    { name: "chunks without an end", bytes: `${head("PUT", json, chunked)}3\r\nabc\r\n` },
    {
      name: "a chunk with a huge extension",
      bytes: `${head("PUT", json, chunked)}3;${"x".repeat(100_000)}\r\nabc\r\n0\r\n\r\n`,
    },
    { name: "a body shorter than it says", bytes: `${head("PUT", json, "Content-Length: 100")}{}` },
    { name: "two lengths", bytes: `${head("PUT", json, "Content-Length: 2", "Content-Length: 3")}{}` },
    { name: "a length and chunks", bytes: `${head("PUT", json, "Content-Length: 2", chunked)}0\r\n\r\n` },
    { name: "a length that is no number", bytes: head("PUT", json, "Content-Length: many") },
    { name: "an unknown transfer encoding", bytes: head("PUT", json, "Transfer-Encoding: gzip, identity") },
    { name: "a header without a colon", bytes: head("GET", "nonsense") },
    { name: "a header with NUL", bytes: head("GET", "X-Odd: a\0b") },
    { name: "a folded header", bytes: head("GET", "X-Odd: a\r\n b") },
    {
      name: "ten thousand headers",
      bytes: head("GET", ...Array.from({ length: 10_000 }, (_, i) => `X-${i}: 1`)),
    },
    { name: "a header of a megabyte", bytes: head("GET", `X-Large: ${"x".repeat(1_000_000)}`) },
    { name: "a target of a megabyte", bytes: `GET /${"x".repeat(1_000_000)} HTTP/1.1\r\nHost: a\r\n\r\n` },
    { name: "no host", bytes: `GET ${url} HTTP/1.1\r\n\r\n` },
    { name: "two hosts", bytes: `GET ${url} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n` },
    { name: "an unknown method", bytes: "NONSENSE / HTTP/1.1\r\nHost: a\r\n\r\n" },
    { name: "an unknown version of HTTP", bytes: "GET / HTTP/9.9\r\nHost: a\r\n\r\n" },
    { name: "HTTP/0.9", bytes: "GET /\r\n" },
    { name: "the version 0.9", bytes: `GET ${url} HTTP/0.9\r\nHost: localhost\r\n\r\n` },
    { name: "the version 2.0", bytes: `GET ${url} HTTP/2.0\r\nHost: localhost\r\n\r\n` },
    {
      name: "the version 2.0 and an unread body",
      bytes: `PUT ${url} HTTP/2.0\r\nHost: localhost\r\n${json}\r\nContent-Length: 9000000\r\n\r\n{}`,
    },
    { name: "line feeds alone", bytes: `GET ${url} HTTP/1.1\nHost: a\n\n` },
    { name: "a tunnel", bytes: "CONNECT localhost:22 HTTP/1.1\r\nHost: localhost:22\r\n\r\n" },
    {
      name: "an upgrade",
      bytes: head("GET", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: x"),
    },
    { name: "an expectation", bytes: `${head("PUT", json, "Content-Length: 2", "Expect: nonsense")}{}` },
    {
      name: "another target of the server",
      bytes: `GET https://elsewhere.example.org/ HTTP/1.1\r\nHost: a\r\n\r\n`,
    },
    { name: "an asterisk", bytes: "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" },
    { name: "very deep JSON", bytes: body(deep(200_000)) },
    { name: "deep JSON in a member", bytes: body(`{"properties":${deep(100_000)}}`) },
    { name: "null", bytes: body("null") },
    {
      name: "nulls everywhere",
      bytes: body('{"location":null,"tags":null,"properties":null,"identity":null,"systemData":null}'),
    },
    { name: "a number beyond all", bytes: body('{"properties":{"workerProfiles":[{"count":1e999}]}}') },
    { name: "no UTF-8", bytes: body('{"location":"\xff\xfe"}') },
    { name: "a byte order mark", bytes: body("\xef\xbb\xbf{}") },
    { name: "TLS within TLS", bytes: "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" },
    { name: "nothing", bytes: "" },
  ];
  for (const { name, bytes } of requests) {
    test(`${name}: rejected, and the service continues`, async () => {
      const status = await request(bytes);
      assert.ok(status === undefined || (status >= 400 && status < 500) || status === 501, `${status}`);
      await assertServes();
    });
  }

  test("such bytes get an error in the usual format, an unknown method a bare 405", async () => {
    for (const [bytes, status, message] of [
      [head("GET", "nonsense"), 400, "The request is not valid HTTP."],
      [head("GET", `X-Large: ${"x".repeat(100_000)}`), 431, "The headers of the request are too large."],
    ] as const) {
      const response = await converse(bytes, "http/1.1");
      const [headers = "", body = ""] = response.split("\r\n\r\n");
      assert.match(headers, new RegExp(`^HTTP/1.1 ${status} `));
      assert.deepEqual(JSON.parse(body), { error: { code: "InvalidRequestContent", message } });
    }
    const refused = await converse(`NONSENSE ${url} HTTP/1.1\r\nHost: a\r\n\r\n`, "http/1.1");
    assert.match(refused, /^HTTP\/1\.1 405 .*\r\n\r\n$/s);
  });

  test("requests that are a little broken anywhere", async () => {
    const whole = Buffer.from(
      body('{"location":"eastus","properties":{"clusterProfile":{"domain":"a"}}}'),
      "latin1",
    );
    const change = fc.record({
      at: fc.nat(whole.length - 1),
      bytes: fc.uint8Array({ maxLength: 8 }),
      cut: fc.nat(16),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        let bytes = whole;
        for (const { at, bytes: inserted, cut } of changes) {
          bytes = Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + cut)]);
        }
        const status = await request(bytes);
        assert.ok(status === undefined || (status >= 200 && status < 500) || status === 501, `${status}`);
      }),
      { numRuns: 60 },
    );
    await assertServes();
  });

  test("HTTP/2 with frames that make no sense", async () => {
    const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");
    const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
    const frame = fc
      .record({
        length: fc.nat(300_000),
        type: fc.integer({ min: 0, max: 255 }),
        flags: fc.integer({ min: 0, max: 255 }),
        stream: fc.nat(0xffffffff),
        payload: fc.uint8Array({ maxLength: 64 }),
      })
      .map(({ length, type, flags, stream, payload }) => {
        const header = Buffer.alloc(9);
        header.writeUIntBE(length & 0xffffff, 0, 3);
        header.writeUInt8(type, 3);
        header.writeUInt8(flags, 4);
        header.writeUInt32BE(stream >>> 0, 5);
        return Buffer.concat([header, payload]);
      });
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 5 }), async (frames) => {
        await request(Buffer.concat([preface, settings, ...frames]), "h2");
      }),
      { numRuns: 40 },
    );
    await assertServes();
  });

  test("chunks over the limit get a response while their sender continues", async () => {
    const socket = await open("http/1.1");
    const piece = "x".repeat(65_536);
    socket.write(head("PUT", json, chunked));
    for (let sent = 0; sent < 17; sent++) socket.write(`10000\r\n${piece}\r\n`);
    let response = "";
    socket.on("data", (chunk: Buffer) => {
      response += chunk.toString("latin1");
    });
    await once(socket, "close");
    assert.match(response, /^HTTP\/1\.1 413 /);
    assert.match(response, /"code": "InvalidResource"/);
    await assertServes();
  });

  test("a client that sends its request one byte at a time, and one that never ends it", async () => {
    const slow = await open("http/1.1");
    let response = "";
    slow.on("data", (chunk: Buffer) => {
      response += chunk.toString("latin1");
    });
    for (const byte of Buffer.from(
      `GET /healthz/ready?api-version=${current} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    ))
      slow.write(Uint8Array.of(byte));
    const never = await open("http/1.1");
    never.write(`PUT ${url} HTTP/1.1\r\nHost: a\r\n`);
    await once(slow, "close");
    assert.match(response, /^HTTP\/1\.1 200/);
    await assertServes();
    never.destroy();
  });
});
