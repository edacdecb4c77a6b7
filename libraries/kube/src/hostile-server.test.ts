import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { KubeError, resources } from "./index.ts";
import { BodyReader } from "./responses/bounded-body.ts";
import { connect, startHandler } from "./testing/cluster.ts";
import { WatchEvents } from "./watch.ts";

const signal = AbortSignal.timeout(900_000);
const maxBytes = 256 * 1024;
const eventLimit = { tokens: 1_000, exceeded: () => new KubeError(0, "TooLarge", "too many tokens") };
const limited = { reader: { name: "test", limits: { bytes: maxBytes, listBytes: 4 * maxBytes } } };

let handle: (request: IncomingMessage, response: ServerResponse) => void;
let server: Awaited<ReturnType<typeof startHandler>>;
/** Number of bytes that the server has sent. */
let sent = 0;
before(async () => {
  server = await startHandler((request, response) => handle(request, response));
});
after(() => server[Symbol.asyncDispose]());

/** Returns a handler that sends `piece` repeatedly while the client reads. */
function endless(status: number, piece: string | Buffer) {
  return (_request: IncomingMessage, response: ServerResponse) => {
    sent = 0;
    response.writeHead(status, { "content-type": "application/json" });
    const write = () => {
      while (!response.destroyed && response.write(piece)) sent += piece.length;
      sent += piece.length;
    };
    response.on("drain", write).on("error", () => undefined);
    write();
  };
}

const tooLarge = (error: unknown) => {
  assert.ok(error instanceof KubeError, String(error));
  assert.deepEqual([error.reason, error.retry], ["TooLarge", "never"]);
  return true;
};

test("an endless response is aborted at the limit", async () => {
  await using kube = connect(server.kubeconfig, limited);
  handle = endless(200, " ".repeat(16_384));
  for (const read of [
    () => kube.get(resources.nodes, { name: "x" }, signal),
    () => kube.list(resources.nodes, {}, signal),
    () => kube.page(resources.nodes, { limit: 1 }, signal),
    () => kube.findResource("widgets", signal),
    () => kube.ready(signal),
    () => kube.delete(resources.nodes, { name: "x" }, signal),
  ]) {
    await assert.rejects(read, tooLarge);
    assert.ok(sent < 64 * 1024 * 1024, `${sent} bytes were read`);
  }
});

test("a slow endless response is aborted after the timeout", async () => {
  await using kube = connect(server.kubeconfig, { timeoutMs: 300 });
  for (const status of [200, 500]) {
    handle = (_request, response) => {
      response.writeHead(status);
      const drip = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(drip));
    };
    await assert.rejects(kube.get(resources.nodes, { name: "x" }, signal), (error) => {
      assert.ok(error instanceof KubeError);
      assert.deepEqual([error.code, error.reason], status === 200 ? [0, "Timeout"] : [500, "Unknown"]);
      return true;
    });
  }
});

test("of an error without an end the beginning is read", async () => {
  await using kube = connect(server.kubeconfig, limited);
  handle = endless(503, "\u001b[2Jno ".repeat(1_000));
  const failures: readonly (() => Promise<unknown>)[] = [
    () => kube.get(resources.nodes, { name: "x" }, signal),
    () => Array.fromAsync(kube.watch(resources.nodes, { resourceVersion: "1" }, signal)),
    () => Array.fromAsync(kube.logs({ namespace: "n", name: "p" }, { container: "c" }, signal)),
    () => Array.fromAsync(kube.exec({ namespace: "n", pod: "p", container: "c", command: ["x"] }, signal)),
  ];
  for (const failure of failures) {
    await assert.rejects(failure, (error) => {
      assert.ok(error instanceof KubeError, String(error));
      assert.equal(error.code, 503);
      assert.ok(error.message.length < 600 && !error.message.includes("\u001b"), error.message);
      return true;
    });
  }
});

test("messages and names of a Status are shortened", async () => {
  await using kube = connect(server.kubeconfig, limited);
  const long = `bad\u0000${"x".repeat(10_000)}`;
  handle = (_request, response) => {
    const details = { group: long, kind: long, name: long };
    response.writeHead(422).end(JSON.stringify({ kind: "Status", reason: long, message: long, details }));
  };
  await assert.rejects(kube.get(resources.nodes, { name: "x" }, signal), (error) => {
    assert.ok(error instanceof KubeError);
    assert.deepEqual(
      [error.message.length, error.reason.length, error.subject?.name.length],
      [4_096, 256, 256],
    );
    assert.doesNotMatch(error.message + error.reason + error.subject?.kind, /\0/);
    return true;
  });
});

test("a list with endless pages is aborted", async () => {
  await using kube = connect(server.kubeconfig, limited);
  let pages = 0;
  const page = (padding: string) => (_request: IncomingMessage, response: ServerResponse) => {
    pages++;
    response.end(JSON.stringify({ kind: "NodeList", metadata: { continue: "more" }, items: [], padding }));
  };
  handle = page("");
  await assert.rejects(kube.list(resources.nodes, {}, signal), tooLarge);
  assert.equal(pages, 1_000);
  pages = 0;
  handle = page("x".repeat(200_000));
  await assert.rejects(kube.list(resources.nodes, {}, signal), tooLarge);
  assert.equal(pages, 6);
});

test("a log ends at its limit while the server continues to send", async () => {
  await using kube = connect(server.kubeconfig, limited);
  handle = endless(200, "line\n".repeat(2_000));
  for (const [limitBytes, expected] of [
    [12_345, 12_345],
    [undefined, maxBytes],
    [10 * maxBytes, maxBytes],
  ] as const) {
    const options = { container: "c", ...(limitBytes === undefined ? {} : { limitBytes }) };
    const chunks = await Array.fromAsync(kube.logs({ namespace: "n", name: "p" }, options, signal));
    assert.equal(Buffer.concat(chunks).length, expected);
  }
});

test("an event without an end is given up, and one of many pieces is read in time that grows with its length", async () => {
  let pieces = 0;
  async function* chunks(piece: Buffer, count: number) {
    for (pieces = 0; pieces < count; pieces++) yield piece;
    yield Buffer.from("\n");
  }
  const first = (source: AsyncIterable<Buffer>) => {
    const body = new BodyReader(Readable.from(source, { highWaterMark: 1 }), (cause) => cause);
    return new WatchEvents(async () => body, "/x", 60_000, eventLimit).next();
  };
  await assert.rejects(first(chunks(Buffer.alloc(65_536, " "), 10_000)), tooLarge);
  assert.ok(pieces < 260, `${pieces} pieces of 64 KiB were read`);
  // If the client rescanned the line for each received piece, it would need minutes.
  const event = { type: "ADDED", object: { apiVersion: "v1", kind: "Node", metadata: { name: "x" } } };
  const text = Buffer.from(JSON.stringify({ ...event, padding: "x".repeat(400_000) }));
  async function* bytes() {
    for (let at = 0; at < text.length; at++) yield text.subarray(at, at + 1);
    yield Buffer.from("\n");
  }
  const { value } = await first(bytes());
  assert.deepEqual(value, { type: "ADDED", object: event.object });
});

test("objects with names that API servers reject are ignored", async () => {
  await using kube = connect(server.kubeconfig, limited);
  const item = (name: unknown) => ({ apiVersion: "v1", kind: "Node", metadata: { name } });
  handle = (_request, response) => {
    const names = ["good", "", "bad\n", "\u001b[2J", "x".repeat(600), 7, "also-good"];
    response.end(JSON.stringify({ metadata: { resourceVersion: "1" }, items: names.map(item) }));
  };
  const { items } = await kube.list(resources.nodes, {}, signal);
  assert.deepEqual(
    items.map(({ metadata }) => metadata.name),
    ["good", "also-good"],
  );
});

test("API groups above the limit are not read", async () => {
  await using kube = connect(server.kubeconfig);
  let requests = 0;
  handle = (request, response) => {
    requests++;
    const groups = Array.from({ length: 501 }, (_, index) => ({
      name: `g${index}`,
      versions: [{ version: "v1" }],
    }));
    response.end(JSON.stringify(request.url === "/apis" ? { groups } : { resources: [] }));
  };
  await assert.rejects(kube.findResource("widgets", signal), tooLarge);
  assert.equal(requests, 2);
});

test("a watch that the server does not end is over after its limit, in good order, and its body is closed", async () => {
  const endless = new Readable({ read: () => undefined });
  const body = new BodyReader(endless, (cause) => cause);
  const events = new WatchEvents(async () => body, "/x", 20, eventLimit);
  // Keeps the process alive, because the timer of the tested limit does not.
  const alive = setTimeout(() => undefined, 60_000);
  assert.deepEqual(await events.next(), { done: true, value: undefined });
  clearTimeout(alive);
  assert.equal(endless.destroyed, true);
  assert.deepEqual(await events.next(), { done: true, value: undefined });
});
