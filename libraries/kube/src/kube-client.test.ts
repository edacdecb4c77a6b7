import assert from "node:assert/strict";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { after, before, test } from "node:test";
import {
  createKubeconfig,
  isConflict,
  isExpired,
  isKubeNotFound,
  type KubeClient,
  KubeError,
  type KubeObject,
  resources,
  type WatchEvent,
} from "./index.ts";
import { connect, startCluster, startHandler } from "./testing/cluster.ts";

const { signal } = new AbortController();

let cluster: Awaited<ReturnType<typeof startCluster>>;
before(async () => {
  cluster = await startCluster();
});
after(() => cluster[Symbol.asyncDispose]());

function configMap(name: string, data: Readonly<Record<string, string>> = {}): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" }, data };
}

test("an object lives from create to delete", async () => {
  await using kube = connect(cluster.kubeconfig);
  const key = { namespace: "default", name: "life" };
  assert.equal(await kube.find(resources.configMaps, key, signal), undefined);
  await assert.rejects(kube.get(resources.configMaps, key, signal), isKubeNotFound);
  const created = await kube.create(resources.configMaps, configMap("life", { a: "1" }), signal);
  assert.ok(created.metadata.uid);
  await assert.rejects(kube.create(resources.configMaps, configMap("life"), signal), isConflict);
  const replaced = await kube.replace(resources.configMaps, { ...created, data: { a: "2" } }, signal);
  await assert.rejects(kube.replace(resources.configMaps, { ...created, data: {} }, signal), isConflict);
  assert.deepEqual(await kube.get(resources.configMaps, key, signal), replaced);
  const patched = await kube.mergePatch(resources.configMaps, key, { data: { a: null, b: "3" } }, signal);
  assert.deepEqual(patched.data, { b: "3" });
  await kube.delete(resources.configMaps, key, signal);
  await kube.delete(resources.configMaps, key, signal);
  assert.equal(await kube.find(resources.configMaps, key, signal), undefined);
});

test("a server that only its own network can look up is found at the address that the caller knows", async () => {
  const kubeconfig = cluster.kubeconfig.replace(/127\.0\.0\.1|localhost/, "api-int.cluster.test");
  await using kube = connect(kubeconfig, { internalAddress: "127.0.0.1" });
  assert.equal(await kube.ready(signal), true);
  await using lost = connect(kubeconfig);
  await assert.rejects(lost.get(resources.namespaces, { name: "default" }, signal), /Unreachable|failed/);
});

test("the status is written apart from the rest", async () => {
  await using kube = connect(cluster.kubeconfig);
  const node = { apiVersion: "v1", kind: "Node", metadata: { name: "node-a" } };
  const created = await kube.create(resources.nodes, node, signal);
  const ready = { conditions: [{ type: "Ready", status: "True" }] };
  const updated = await kube.replaceStatus(resources.nodes, { ...created, status: ready }, signal);
  assert.partialDeepStrictEqual(updated.status, ready);
  const patch = { status: { nodeInfo: { kubeletVersion: "v1" } } };
  const patched = await kube.mergePatch(resources.nodes, { name: "node-a" }, patch, signal, "status");
  assert.partialDeepStrictEqual(patched.status, { ...ready, ...patch.status });
});

test("a list longer than a page comes whole, with a version to watch from", async () => {
  await using kube = connect(cluster.kubeconfig);
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "many" } };
  await kube.create(resources.namespaces, namespace, signal);
  const names = Array.from({ length: 501 }, (_, index) => `item-${String(index).padStart(3, "0")}`);
  await Promise.all(
    names.map((name) => {
      const metadata = { name, namespace: "many", labels: { odd: String(Number(name.slice(-1)) % 2) } };
      return kube.create(resources.configMaps, { ...configMap(name), metadata }, signal);
    }),
  );
  const all = await kube.list(
    resources.configMaps,
    { namespace: "many", fieldSelector: "metadata.name!=kube-root-ca.crt" },
    signal,
  );
  assert.deepEqual(
    all.items.map((item) => item.metadata.name),
    names,
  );
  assert.ok(all.items.every((item) => item.kind === "ConfigMap" && item.apiVersion === "v1"));
  assert.match(all.resourceVersion, /^[1-9]\d*$/);
  const odd = await kube.list(resources.configMaps, { namespace: "many", labelSelector: "odd=1" }, signal);
  assert.equal(odd.items.length, 250);
});

test("a watch returns changes after a list, and ends with its signal", async () => {
  await using kube = connect(cluster.kubeconfig);
  const { resourceVersion } = await kube.list(resources.secrets, { namespace: "default" }, signal);
  const stop = new AbortController();
  const seen: string[] = [];
  const watching = (async () => {
    const options = { namespace: "default", resourceVersion };
    for await (const event of kube.watch(resources.secrets, options, stop.signal)) {
      seen.push(describe(event));
      if (event.type === "DELETED") stop.abort(new Error("seen enough"));
    }
  })();
  const ended = assert.rejects(watching, /seen enough/);
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s", namespace: "default" } };
  await kube.create(resources.secrets, secret, signal);
  const key = { name: "s", namespace: "default" };
  await kube.mergePatch(resources.secrets, key, { metadata: { labels: { a: "b" } } }, signal);
  await kube.delete(resources.secrets, key, signal);
  await ended;
  assert.deepEqual(seen, ["ADDED s", "MODIFIED s", "DELETED s"]);
});

test("ensure writes only what differs", async () => {
  await using kube = connect(cluster.kubeconfig);
  const wanted = configMap("ensured", { a: "1" });
  const key = { namespace: "default", name: "ensured" };
  assert.equal(await kube.ensure(resources.configMaps, wanted, signal), "created");
  assert.equal(await kube.ensure(resources.configMaps, wanted, signal), "unchanged");
  const before = await kube.mergePatch(resources.configMaps, key, { data: { other: "kept" } }, signal);
  assert.equal(await kube.ensure(resources.configMaps, wanted, signal), "unchanged");
  assert.deepEqual(await kube.get(resources.configMaps, key, signal), before);
  assert.equal(await kube.ensure(resources.configMaps, configMap("ensured", { a: "2" }), signal), "updated");
  assert.deepEqual((await kube.get(resources.configMaps, key, signal)).data, { a: "2", other: "kept" });
});

test("ensure compares stringData of a Secret with its data, and ignores the status", async () => {
  await using kube = connect(cluster.kubeconfig);
  const metadata = { name: "texts", namespace: "default" };
  const secret = { apiVersion: "v1", kind: "Secret", metadata, stringData: { token: "t" } };
  assert.equal(await kube.ensure(resources.secrets, secret, signal), "created");
  assert.equal(await kube.ensure(resources.secrets, secret, signal), "unchanged");
  const node = { apiVersion: "v1", kind: "Node", metadata: { name: "node-b" }, status: { phase: "Mine" } };
  assert.equal(await kube.ensure(resources.nodes, node, signal), "created");
  assert.equal(await kube.ensure(resources.nodes, node, signal), "unchanged");
});

test("ensure by many at once creates once", async () => {
  await using kube = connect(cluster.kubeconfig);
  const wanted = configMap("raced", { a: "1" });
  const results = await Promise.all(
    Array.from({ length: 8 }, () => kube.ensure(resources.configMaps, wanted, signal)),
  );
  assert.equal(results.filter((result) => result === "created").length, 1);
  assert.equal(results.filter((result) => result === "unchanged").length, 7);
});

test("the server reports readiness; a stopped one is not ready", async () => {
  await using kube = connect(cluster.kubeconfig);
  assert.equal(await kube.ready(signal), true);
  const gone = await startHandler(() => {});
  await gone[Symbol.asyncDispose]();
  await using late = connect(gone.kubeconfig);
  assert.equal(await late.ready(signal), false);
  await assert.rejects(late.get(resources.nodes, { name: "x" }, signal), (error) => {
    assert.ok(error instanceof KubeError);
    assert.deepEqual([error.code, error.reason, error.retry], [0, "Unreachable", "backoff"]);
    return true;
  });
});

test("a request needs its guard's consent", async () => {
  let allowed = true;
  const beforeRequest = () => {
    if (!allowed) throw new Error("lease lost");
  };
  await using kube = connect(cluster.kubeconfig, { beforeRequest });
  await kube.create(resources.configMaps, configMap("guarded"), signal);
  allowed = false;
  const key = { namespace: "default", name: "guarded" };
  await assert.rejects(kube.delete(resources.configMaps, key, signal), /lease lost/);
  allowed = true;
  assert.ok(await kube.find(resources.configMaps, key, signal));
});

for (const [how, ask] of [
  ["a request", (kube: KubeClient) => kube.create(resources.configMaps, configMap("late"), signal)],
  ["an upgrade", (kube: KubeClient) => kube.connectPort({ namespace: "default", name: "late" }, 80, signal)],
] as const) {
  test(`${how} is not sent if beforeRequest rejects it after the connection is made`, async () => {
    let checks = 0;
    const beforeRequest = () => {
      if (++checks > 1) throw new Error("lease lost");
    };
    await using kube = connect(cluster.kubeconfig, { beforeRequest });
    await assert.rejects(ask(kube), { name: "Error", message: "lease lost" });
    assert.equal(checks, 2);
    await using other = connect(cluster.kubeconfig);
    const key = { namespace: "default", name: "late" };
    assert.equal(await other.find(resources.configMaps, key, signal), undefined);
  });
}

test("keys that do not fit the resource are refused before any request", async () => {
  await using kube = connect(cluster.kubeconfig);
  await assert.rejects(
    async () => kube.get(resources.configMaps, { name: "x" }, signal),
    /needs a namespace/,
  );
  await assert.rejects(
    async () => kube.get(resources.nodes, { name: "x", namespace: "y" }, signal),
    /has no namespaces/,
  );
});

test("an aborted request ends with the reason of the signal", async () => {
  await using server = await startHandler(() => {});
  await using kube = connect(server.kubeconfig);
  const stop = new AbortController();
  const waiting = kube.list(resources.nodes, {}, stop.signal);
  setTimeout(() => stop.abort(new Error("draining")), 50);
  await assert.rejects(waiting, /draining/);
  await assert.rejects(kube.list(resources.nodes, {}, stop.signal), /draining/);
});

test("an abort does not wait for a server that takes no connection", async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on("error", () => undefined))).listen(0);
  const { port } = server.address() as AddressInfo;
  const kubeconfig = createKubeconfig({
    server: `https://127.0.0.1:${port}`,
    caPem: "",
    clientCertificatePem: "",
    clientKeyPem: "",
    clusterName: "mute",
    userName: "test",
  });
  try {
    await using kube = connect(kubeconfig);
    const stop = new AbortController();
    const waiting = kube.list(resources.nodes, {}, stop.signal);
    let late = false;
    server.once("connection", () => {
      stop.abort(new Error("draining"));
      setTimeout(() => {
        late = true;
      }, 5_000).unref();
    });
    await assert.rejects(waiting, /draining/);
    assert.equal(late, false, "the abort waited for the end of the attempt to connect");
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});

test("a late response is a retriable time-out", async () => {
  await using server = await startHandler(() => {});
  await using kube = connect(server.kubeconfig, { timeoutMs: 100 });
  await assert.rejects(kube.get(resources.nodes, { name: "x" }, signal), (error) => {
    assert.ok(error instanceof KubeError);
    assert.deepEqual([error.reason, error.retry], ["Timeout", "backoff"]);
    return true;
  });
  assert.equal(await kube.ready(signal), false);
});

test("requests have the user agent and the server's base path", async () => {
  const seen: unknown[] = [];
  await using server = await startHandler((request, response) => {
    seen.push(request.url, request.headers["user-agent"], request.headers["content-type"]);
    response.end('{"apiVersion":"v1","kind":"Node","metadata":{"name":"x"}}');
  });
  const kubeconfig = server.kubeconfig.replace(/(server: https:\S+)/, "$1/base/");
  await using kube = connect(kubeconfig);
  await kube.mergePatch(resources.nodes, { name: "x" }, {}, signal);
  assert.deepEqual(seen, [
    "/base/api/v1/nodes/x?fieldManager=test",
    "test/1",
    "application/merge-patch+json",
  ]);
});

test("a response that is not from an API server is an InvalidAnswer", async () => {
  await using server = await startHandler((request, response) => {
    if (request.url?.includes("watch")) response.end('{"type":"ADDED"}\n');
    else if (request.url?.includes("/pods")) response.end("{}");
    else response.writeHead(502).end("<html>bad gateway</html>");
  });
  await using kube = connect(server.kubeconfig);
  await assert.rejects(kube.list(resources.nodes, {}, signal), /returned status 502: <html>/);
  await assert.rejects(kube.list(resources.pods, {}, signal), /returned an invalid list/);
  await assert.rejects(
    kube.get(resources.pods, { namespace: "n", name: "p" }, signal),
    /invalid Kubernetes object/,
  );
  await assert.rejects(first(kube.watch(resources.pods, { resourceVersion: "1" }, signal)), /not an event/);
});

test("a watch from too far back is expired", async () => {
  const status = { kind: "Status", code: 410, reason: "Expired", message: "too old resource version: 1 (9)" };
  await using server = await startHandler((_, response) => {
    response.end(`${JSON.stringify({ type: "ERROR", object: status })}\n`);
  });
  await using kube = connect(server.kubeconfig);
  await assert.rejects(first(kube.watch(resources.pods, { resourceVersion: "1" }, signal)), isExpired);
});

test("events are read whole however the network cuts them", async () => {
  const text = ["ä", "ö"]
    .map(
      (name) =>
        `${JSON.stringify({ type: "ADDED", object: { apiVersion: "v1", kind: "Pod", metadata: { name } } })}\n`,
    )
    .join("");
  const bytes = Buffer.from(
    `${text}${JSON.stringify({ type: "BOOKMARK", object: { metadata: { resourceVersion: "7" } } })}\n`,
  );
  await using server = await startHandler(async (_, response) => {
    for (const byte of bytes) {
      response.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  });
  await using kube = connect(server.kubeconfig);
  const seen: string[] = [];
  for await (const event of kube.watch(resources.pods, { resourceVersion: "1" }, signal))
    seen.push(describe(event));
  assert.deepEqual(seen, ["ADDED ä", "ADDED ö", "BOOKMARK 7"]);
});

async function first(events: AsyncIterable<WatchEvent>): Promise<WatchEvent | undefined> {
  for await (const event of events) return event;
  return undefined;
}

function describe(event: WatchEvent): string {
  return `${event.type} ${event.type === "BOOKMARK" ? event.resourceVersion : event.object.metadata.name}`;
}
