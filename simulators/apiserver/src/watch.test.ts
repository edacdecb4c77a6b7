import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { issueCertificate, silentLogger, valueAt } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { startApiServer } from "./start-api-server.ts";
import { framesOf, TestServer } from "./testing/test-server.ts";

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server[Symbol.asyncDispose]());

const configMaps = { group: "", version: "v1", resource: "configmaps" };

async function namespace(name: string): Promise<string> {
  const ref = { group: "", version: "v1", resource: "namespaces" };
  await server.cluster.client.create(ref, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  return `/api/v1/namespaces/${name}/secrets`;
}

function secret(name: string, labels: Record<string, string> = {}) {
  return { apiVersion: "v1", kind: "Secret", metadata: { name, labels } };
}

const head = async (path: string) =>
  scalarStringAt((await server.call("GET", path)).body, "metadata", "resourceVersion");
const told = (frame: unknown) =>
  `${scalarStringAt(frame, "type")} ${scalarStringAt(frame, "object", "metadata", "name")}`;

async function take(frames: AsyncGenerator<unknown>, count: number): Promise<unknown[]> {
  const taken: unknown[] = [];
  while (taken.length < count) {
    const { value, done } = await frames.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

test("a watch without a revision sends the existing objects, then changes, each with its revision", async () => {
  const path = await namespace("state");
  await server.call("POST", path, { body: secret("a") });
  const response = await server.open("GET", `${path}?watch=true`);
  assert.equal(response.headers["transfer-encoding"], "chunked");
  const frames = framesOf(response);
  assert.deepEqual((await take(frames, 1)).map(told), ["ADDED a"]);
  await server.call("PATCH", `${path}/a`, {
    body: { data: { k: "dg==" } },
    headers: { "content-type": "application/merge-patch+json" },
  });
  const deleted = await server.call("DELETE", `${path}/a`);
  assert.equal(deleted.status, 200);
  const [modified, gone] = await take(frames, 2);
  assert.deepEqual([modified, gone].map(told), ["MODIFIED a", "DELETED a"]);
  assert.equal(scalarStringAt(gone, "object", "data", "k"), "dg==");
  const revision = (frame: unknown) => Number(scalarStringAt(frame, "object", "metadata", "resourceVersion"));
  assert.ok(revision(gone) > revision(modified));
  response.destroy();
});

test("a watch from a revision sends all later changes, and objects enter and leave its selector", async () => {
  const path = await namespace("selector");
  const from = await head(path);
  const label = (value: string) =>
    server.call("PATCH", `${path}/a`, {
      body: { metadata: { labels: { on: value } } },
      headers: { "content-type": "application/merge-patch+json" },
    });
  await server.call("POST", path, { body: secret("a", { on: "no" }) });
  await label("yes");
  const left = await label("no");
  const response = await server.open("GET", `${path}?watch=1&resourceVersion=${from}&labelSelector=on=yes`);
  const [added, deleted] = await take(framesOf(response), 2);
  assert.deepEqual([added, deleted].map(told), ["ADDED a", "DELETED a"]);
  assert.equal(
    scalarStringAt(deleted, "object", "metadata", "resourceVersion"),
    scalarStringAt(left.body, "metadata", "resourceVersion"),
  );
  assert.equal(scalarStringAt(deleted, "object", "metadata", "labels", "on"), "yes");
  response.destroy();
});

test("a streaming list ends the initial objects with an annotated bookmark", async () => {
  const path = await namespace("streaming");
  for (const name of ["a", "b"]) await server.call("POST", path, { body: secret(name) });
  const query =
    "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  const response = await server.open("GET", `${path}?${query}`);
  const [a, b, bookmark] = await take(framesOf(response), 3);
  assert.deepEqual([a, b].map(told), ["ADDED a", "ADDED b"]);
  assert.equal(scalarStringAt(bookmark, "type"), "BOOKMARK");
  assert.equal(valueAt(bookmark, "object", "metadata", "annotations", "k8s.io/initial-events-end"), "true");
  assert.equal(scalarStringAt(bookmark, "object", "metadata", "resourceVersion"), await head(path));
  response.destroy();
  const refused = await server.call("GET", `${path}?watch=true&sendInitialEvents=true`);
  assert.equal(refused.status, 422);
});

test("a server without streaming lists rejects them with 422", async () => {
  await using off = await TestServer.start(undefined, undefined, undefined, { watchList: false });
  const path = "/api/v1/namespaces/default/secrets";
  const { status, text } = await off.call(
    "GET",
    `${path}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
  );
  assert.equal(status, 422);
  assert.match(text, /sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled/);
  const plain = await off.open("GET", `${path}?watch=true`);
  assert.equal(plain.statusCode, 200);
  plain.destroy();
});

test("a watch ends after its timeout, with a final bookmark on request", async () => {
  const path = await namespace("timed");
  const response = await server.open("GET", `${path}?watch=true&timeoutSeconds=1&allowWatchBookmarks=true`);
  const frames = await take(framesOf(response), 10);
  assert.deepEqual(
    frames.map((frame) => scalarStringAt(frame, "type")),
    ["BOOKMARK"],
  );
});

test("a streaming list without bookmarks has no final annotation, and without initial events it begins at the current revision", async () => {
  const path = await namespace("unmarked");
  await server.call("POST", path, { body: secret("a") });
  const query = "watch=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1";
  const told = async (more: string) => {
    const frames = await take(framesOf(await server.open("GET", `${path}?${query}&${more}`)), 10);
    return frames.map((frame) => scalarStringAt(frame, "type"));
  };
  assert.deepEqual(await told("sendInitialEvents=true"), ["ADDED"]);
  assert.deepEqual(await told("sendInitialEvents=false&allowWatchBookmarks=true"), ["BOOKMARK"]);
});

test("the final bookmark has only kind, version and revision, two seconds before the end", async () => {
  const path = await namespace("bookmarks");
  const from = await head(path);
  await server.call("POST", "/api/v1/namespaces/default/configmaps", {
    body: { metadata: { name: "elsewhere" } },
  });
  const began = performance.now();
  const query = `watch=true&resourceVersion=${from}&timeoutSeconds=5&allowWatchBookmarks=true`;
  const response = await server.open("GET", `${path}?${query}`);
  const frames = framesOf(response);
  const [bookmark] = await take(frames, 1);
  const after = performance.now() - began;
  assert.ok(after > 2_500, String(after));
  const resourceVersion = scalarStringAt(bookmark, "object", "metadata", "resourceVersion");
  assert.deepEqual(bookmark, {
    type: "BOOKMARK",
    object: { kind: "Secret", apiVersion: "v1", metadata: { resourceVersion } },
  });
  assert.ok(Number(resourceVersion) > Number(from));
  assert.deepEqual(await take(frames, 1), []);
});

test("a watch from a compacted revision receives 410 in a frame, and one from a later revision continues", async () => {
  const path = await namespace("compacted");
  const from = await head(path);
  const open = await server.open("GET", `${path}?watch=true&resourceVersion=${from}`);
  await server.call("POST", path, { body: secret("a") });
  await server.cluster.forgetHistory();
  const late = await server.open("GET", `${path}?watch=true&resourceVersion=${from}`);
  assert.equal(late.statusCode, 200);
  const [error] = await take(framesOf(late), 1);
  assert.equal(scalarStringAt(error, "type"), "ERROR");
  assert.deepEqual(
    [valueAt(error, "object", "code"), scalarStringAt(error, "object", "reason")],
    [410, "Expired"],
  );
  assert.match(
    scalarStringAt(error, "object", "message"),
    new RegExp(`^too old resource version: ${from} \\(\\d+\\)$`),
  );
  await server.call("POST", path, { body: secret("b") });
  assert.deepEqual((await take(framesOf(open), 2)).map(told), ["ADDED a", "ADDED b"]);
  open.destroy();
});

/** Returns the start of the next minute. */
const wholeMinute = () => new Date(Math.ceil(Date.now() / 60_000) * 60_000);

/** Starts a server with a manual clock. */
async function timedServer(clock: ManualClock) {
  const { authority, admin } = server;
  const names = { commonName: "localhost", ipAddresses: ["127.0.0.1"] };
  const timed = await startApiServer({
    host: "127.0.0.1",
    port: 0,
    tls: await issueCertificate(authority, { ...names, usage: "server", validDays: 1 }),
    storage: { kind: "memory" },
    logger: silentLogger,
    clock,
  });
  const cluster = await timed.createCluster({
    name: "c",
    clientCertificateAuthorities: [authority.certificatePem],
  });
  return {
    open: async () => {
      const own = new TestServer(timed, cluster, authority, admin);
      return framesOf(await own.open("GET", "/api/v1/pods?watch=true&allowWatchBookmarks=true"));
    },
    [Symbol.asyncDispose]: () => timed[Symbol.asyncDispose](),
  };
}

test("idle watches that begin within five seconds get their bookmarks together", async () => {
  const clock = new ManualClock(wholeMinute());
  await using timed = await timedServer(clock);
  const received: string[] = [];
  const follow = async (name: string) => {
    const frames = await timed.open();
    return { ended: take(frames, 1).then(() => received.push(name)) };
  };
  await clock.advance(1_000);
  const first = await follow("first");
  await clock.advance(3_000);
  const second = await follow("second");
  await clock.advance(60_999);
  assert.deepEqual(received, []);
  await clock.advance(1);
  await Promise.all([first.ended, second.ended]);
});

test("an idle watch gets a bookmark every minute, and ends between half an hour and an hour", async () => {
  const clock = new ManualClock(wholeMinute());
  await using timed = await timedServer(clock);
  const frames = await timed.open();
  let ended = false;
  for (let minute = 1; minute <= 3; minute++) {
    await clock.advance(60_000);
    const [bookmark] = await take(frames, 1);
    assert.equal(scalarStringAt(bookmark, "type"), "BOOKMARK");
  }
  const rest = take(frames, 1_000).finally(() => {
    ended = true;
  });
  await clock.advance(26 * 60_000);
  assert.equal(ended, false);
  await clock.advance(31 * 60_000);
  const last = (await rest).at(-1);
  assert.equal(scalarStringAt(last, "type"), "BOOKMARK");
});

test("a watch from a future revision receives 410", async () => {
  const response = await server.open("GET", "/api/v1/pods?watch=true&resourceVersion=999999");
  assert.equal(response.statusCode, 200);
  const [frame] = await take(framesOf(response), 1);
  assert.deepEqual(
    [
      scalarStringAt(frame, "type"),
      valueAt(frame, "object", "code"),
      scalarStringAt(frame, "object", "reason"),
    ],
    ["ERROR", 410, "Expired"],
  );
});

test("the events of a table watch are tables", async () => {
  const path = await namespace("tables");
  await server.call("POST", path, { body: secret("a") });
  const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
  const response = await server.open("GET", `${path}?watch=true`, { headers: { accept } });
  const [frame] = await take(framesOf(response), 1);
  assert.equal(scalarStringAt(frame, "object", "kind"), "Table");
  response.destroy();
});

test("a client that does not read blocks no other client, and receives all events when it reads again", async () => {
  const path = await namespace("slow");
  const from = await head(path);
  const slow = await server.open("GET", `${path}?watch=true&resourceVersion=${from}`);
  slow.pause();
  const filling = Buffer.alloc(200_000).toString("base64");
  const { client } = server.cluster;
  const ref = { group: "", version: "v1", resource: "secrets" };
  const body = { ...secret("big"), metadata: { name: "big", namespace: "slow" } };
  await client.create(ref, { ...body, data: { filling } });
  for (let at = 0; at < 60; at++) {
    await client.mergePatch(ref, { namespace: "slow", name: "big" }, { data: { at: btoa(String(at)) } });
  }
  const fast = await server.open("GET", `${path}?watch=true&resourceVersion=${from}`);
  assert.equal((await take(framesOf(fast), 61)).length, 61);
  fast.destroy();
  const frames = await take(framesOf(slow), 61);
  assert.equal(scalarStringAt(frames[60], "object", "data", "at"), btoa("59"));
  slow.destroy();
});

test("the in-process watch yields the same events and ends with its signal", async () => {
  const path = await namespace("inside");
  const { client } = server.cluster;
  const stop = new AbortController();
  const seen: string[] = [];
  const watching = (async () => {
    const options = { namespace: "inside", fieldSelector: "metadata.name=a" };
    for await (const event of client.watch(configMaps, options, stop.signal)) {
      if (event.type !== "BOOKMARK") seen.push(`${event.type} ${event.object.metadata.name}`);
      if (event.type === "DELETED") stop.abort();
    }
  })();
  const object = (name: string) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "inside" },
  });
  for (const name of ["a", "b"]) await client.create(configMaps, object(name));
  await client.delete(configMaps, { namespace: "inside", name: "a" });
  await watching;
  assert.deepEqual(seen, ["ADDED a", "DELETED a"]);
  assert.ok(path);
});

test("closing the server ends its watches", async () => {
  const own = await TestServer.start();
  const response = await own.open("GET", "/api/v1/pods?watch=true");
  response.resume();
  const ended = once(response, "close");
  await own[Symbol.asyncDispose]();
  await ended;
});

test("a stopped cluster returns 503 and ends its watches, and resumes afterwards", async () => {
  const path = await namespace("paused");
  const response = await server.open("GET", `${path}?watch=1`);
  const closed = once(response.resume(), "close");
  server.cluster.setServing(false);
  await closed;
  for (const each of [path, "/readyz", "/version"]) {
    const answer = await server.call("GET", each);
    assert.deepEqual(
      [answer.status, scalarStringAt(answer.body, "reason")],
      [503, "ServiceUnavailable"],
      each,
    );
    assert.equal(answer.headers["retry-after"], undefined);
  }
  server.cluster.setServing(true);
  assert.equal((await server.call("GET", path)).status, 200);
  const again = await server.open("GET", `${path}?watch=1&timeoutSeconds=1`);
  assert.equal(again.statusCode, 200);
  again.destroy();
});
