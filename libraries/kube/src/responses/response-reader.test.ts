import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { after, before, describe, test } from "node:test";
import { Metrics } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { ClusterResponses, type KubeClient, KubeError, objectFields, resources } from "../index.ts";
import { connect, startHandler } from "../testing/cluster.ts";

const signal = AbortSignal.timeout(120_000);
const clock = new ManualClock();
const metrics = new Metrics();
const stack = new AsyncDisposableStack();
let responses: ClusterResponses;
let server: Awaited<ReturnType<typeof startHandler>>;
let handle: (request: IncomingMessage, response: ServerResponse) => void;

before(async () => {
  responses = stack.use(new ClusterResponses({ clock, metrics }));
  server = stack.use(await startHandler((request, response) => handle(request, response)));
});
after(() => stack.disposeAsync());

const limits = { bytes: 4_000_000, tokens: 200_000, objectTokens: 1_000, depth: 30, cpu: 60_000 };

/** Creates a client of the server. Each test has its own reader and therefore its own CPU allowance. */
function client(name: string, more: object = {}): KubeClient {
  const reader = { name, resourceId: "/a/cluster", limits: { ...limits, ...more } };
  return stack.use(connect(server.kubeconfig, { responses, reader }));
}

const fails = (limit: string) => (error: unknown) => {
  assert.ok(error instanceof KubeError, String(error));
  assert.deepEqual([error.reason, error.limit], ["TooLarge", limit]);
  return true;
};

async function counted(reader: string, limit: string): Promise<boolean> {
  const { body } = await metrics.expose();
  return body.includes(
    `monitor_cluster_limit_exceeded_total{resourceId="/a/cluster",reader="${reader}",limit="${limit}"} 1`,
  );
}

const pageOf = (items: readonly unknown[]) =>
  JSON.stringify({ kind: "NodeList", apiVersion: "v1", metadata: { resourceVersion: "7" }, items });
const node = (name: string, more: object = {}) => ({
  metadata: { name, uid: "u" },
  status: { phase: "x" },
  ...more,
});
const fields = objectFields({ status: { phase: true } });
const answer = (body: string) => (_request: IncomingMessage, response: ServerResponse) => response.end(body);

describe("responses of a cluster", () => {
  for (const [name, padding] of [
    ["small", ""],
    ["large", "x".repeat(1_000)],
  ] as const) {
    test(`${name} ones have the selected fields only`, async () => {
      const kube = client(`fields-${name}`);
      handle = answer(pageOf(Array.from({ length: 500 }, (_, index) => node(`n${index}`, { padding }))));
      const { items, resourceVersion } = await kube.list(resources.nodes, { fields }, signal);
      assert.deepEqual([items.length, resourceVersion], [500, "7"]);
      assert.deepEqual(items[499], {
        apiVersion: "v1",
        kind: "Node",
        metadata: { name: "n499" },
        status: { phase: "x" },
      });
      handle = answer(JSON.stringify({ apiVersion: "v1", kind: "Node", ...node("one", { padding }) }));
      const one = await kube.get(resources.nodes, { name: "one" }, signal, fields);
      assert.equal("padding" in one, false);
    });
  }

  const bomb = `{"metadata":{"name":"m"},"x":[${Array.from({ length: 90_000 }, (_, index) => `{"k${index}":0}`)}]}`;
  const deep = `${"[".repeat(40)}${"]".repeat(40)}`;
  for (const [limit, body] of [
    ["bytes", pageOf([]) + " ".repeat(5_000_000)],
    ["tokens", `{"metadata":{},"items":[${bomb}]}`],
    ["depth", `{"metadata":{},"items":[{"metadata":{"name":"m"},"x":${deep}}]}`],
    ["objectTokens", pageOf([node("n", { status: { phase: Array.from({ length: 2_000 }, () => 0) } })])],
    ["totalTokens", pageOf(Array.from({ length: 500 }, () => node("n")))],
    ["totalBytes", pageOf([node("n", { padding: "x".repeat(50_000) })])],
    ["objects", pageOf([node("a"), node("b"), node("c")])],
  ] as const) {
    test(`beyond the limit ${limit} are an error that is counted`, async () => {
      const small = { totalTokens: 3_000, totalBytes: 50_000, objects: 2 };
      const more = Object.hasOwn(small, limit) ? { [limit]: small[limit as keyof typeof small] } : {};
      const kube = client(`limit-${limit}`, more);
      handle = answer(body);
      await assert.rejects(kube.list(resources.nodes, { fields }, signal), fails(limit));
      const shown = responses.exceededBy("/a/cluster").filter(({ reader }) => reader === `limit-${limit}`);
      assert.deepEqual(shown, [{ reader: `limit-${limit}`, limit }]);
      assert.ok(await counted(`limit-${limit}`, limit));
    });
  }

  test("a watch event with too many tokens is an error", async () => {
    const kube = client("watch");
    const object = {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "n" },
      x: Array.from({ length: 50_000 }, () => 1),
    };
    handle = answer(`${JSON.stringify({ type: "ADDED", object })}\n`);
    const events = Array.fromAsync(kube.watch(resources.nodes, { resourceVersion: "1" }, signal));
    await assert.rejects(events, fails("objectTokens"));
  });

  test("after responses that used too much CPU time, a cluster is not called for two minutes", async () => {
    const kube = client("cpu", { cpu: 1 });
    let requests = 0;
    handle = (request, response) => {
      requests++;
      answer(pageOf([node("a", { padding: "x".repeat(3_000_000) })]))(request, response);
    };
    // Some kernels measure CPU time with a delay, so several responses may be necessary to start the cool-down.
    const untilCooling = async () => {
      for (;;) await kube.list(resources.nodes, { fields }, signal);
    };
    await assert.rejects(
      untilCooling(),
      (error) => fails("cpu")(error) && error instanceof KubeError && error.retry === "backoff",
    );
    const sent = requests;
    await assert.rejects(kube.list(resources.nodes, {}, signal), fails("cpu"));
    assert.equal(requests, sent);
    await client("other").list(resources.nodes, {}, signal);
    await clock.advance(120_000);
    await kube.list(resources.nodes, {}, signal);
    assert.equal(requests, sent + 2);
  });

  test("a cluster that exceeds limits again and again is not asked for two minutes", async () => {
    const kube = client("violations", { violations: 3, bytes: 1_000 });
    let requests = 0;
    handle = (request, response) => {
      requests++;
      answer(" ".repeat(2_000))(request, response);
    };
    const read = () => kube.get(resources.nodes, { name: "n" }, signal);
    for (let at = 0; at < 5; at++) await assert.rejects(read(), fails(at < 4 ? "bytes" : "cpu"));
    assert.equal(requests, 4);
    await clock.advance(120_000);
    await assert.rejects(read(), fails("bytes"));
  });

  test("that come over other connections are read within the same limits", async () => {
    const kube = client("json");
    const list = JSON.stringify([{ a: 1, b: 2 }, { a: 3 }]);
    const selection = { fields: { a: true }, items: [] };
    const read = (body: string) =>
      kube.readJson(Readable.from([Buffer.from(body)]), "GET /x", selection, signal);
    assert.deepEqual((await read(list)).items, [{ a: 1 }, { a: 3 }]);
    await assert.rejects(read("<html></html>"), { reason: "InvalidAnswer" });
    await assert.rejects(read(`[${"0,".repeat(200_001)}0]`), fails("tokens"));
  });

  test("a list of metadata alone asks for metadata alone", async () => {
    const kube = client("metadata");
    let accepted: string | undefined;
    handle = (request, response) => {
      accepted = request.headers.accept;
      const item = { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: { name: "n" } };
      answer(pageOf([item]))(request, response);
    };
    const { items } = await kube.list(resources.nodes, { fields: objectFields({}) }, signal);
    assert.match(accepted ?? "", /^application\/json;as=PartialObjectMetadataList;/);
    assert.deepEqual(items, [{ apiVersion: "v1", kind: "Node", metadata: { name: "n" } }]);
  });
});
