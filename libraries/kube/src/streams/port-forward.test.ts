import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import { type AddressInfo, connect as connectSocket } from "node:net";
import type { Duplex } from "node:stream";
import { after, before, test } from "node:test";
import { type KubeClient, KubeError } from "../index.ts";
import { connect, startCluster } from "../testing/cluster.ts";

const { signal } = new AbortController();
const pod = { namespace: "default", name: "pod" };
const big = "x".repeat(3_000_000);

let cluster: Awaited<ReturnType<typeof startCluster>>;
let kube: KubeClient;
/** Server on port 80 of the pod. All other ports are closed. */
let inside: Server;
before(async () => {
  inside = createServer((incoming, answer) => {
    if (incoming.url !== "/hang")
      answer.end(incoming.url === "/big" ? big : `${incoming.method} ${incoming.url}`);
  }).listen(0, "127.0.0.1");
  await once(inside, "listening");
  const { port: listening } = inside.address() as AddressInfo;
  cluster = await startCluster();
  kube = connect(cluster.kubeconfig);
  const refuse = () => Promise.reject(new Error("not in this test"));
  cluster.logical.setKubelet({
    logs: async function* () {},
    exec: refuse,
    attach: refuse,
    askNode: refuse,
    async connect(_pod, port) {
      if (port !== 80) throw new Error(`connection refused: ${port}`);
      return connectSocket(listening, "127.0.0.1");
    },
  });
  const { client } = cluster.logical;
  const node = { apiVersion: "v1", kind: "Node", metadata: { name: "node" } };
  await client.create({ group: "", version: "v1", resource: "nodes" }, node);
  const pods = { group: "", version: "v1", resource: "pods" };
  const created = await client.create(pods, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: pod,
    spec: { nodeName: "node", containers: [{ name: "c", image: "i" }] },
  });
  await client.updateStatus(pods, { ...created, status: { phase: "Running" } });
});
after(async () => {
  inside.closeAllConnections();
  inside.close();
  await kube[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

/** Sends a request to the server in the pod over a separate connection. */
function ask(connection: Duplex, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ path, host: "in-the-pod", createConnection: () => connection });
    asked.on("error", reject);
    asked.on("response", (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("error", reject);
      response.on("end", () => resolve(text));
    });
    asked.end();
  });
}

test("small and large responses of a program in a pod arrive over the connection", async () => {
  assert.equal(await ask(await kube.connectPort(pod, 80, signal), "/a?b"), "GET /a?b");
  assert.equal(await ask(await kube.connectPort(pod, 80, signal), "/big"), big);
});

test("a closed port and a missing pod are errors", async () => {
  await assert.rejects(ask(await kube.connectPort(pod, 81, signal), "/"), (error) => {
    assert.ok(error instanceof KubeError);
    assert.match(error.message, /could not be reached: .*connection refused/);
    return true;
  });
  await assert.rejects(kube.connectPort({ ...pod, name: "gone" }, 80, signal), { code: 404 });
});

test("abort ends the connection with its reason", async () => {
  const stop = new AbortController();
  const asked = ask(await kube.connectPort(pod, 80, stop.signal), "/hang");
  stop.abort(new Error("enough"));
  await assert.rejects(asked, { message: "enough" });
});

test("the status code of the server's own paths", async () => {
  assert.equal(await kube.statusCode("/healthz", signal), 200);
  assert.equal(await kube.statusCode("/nowhere", signal), 404);
  await using stopped = connect(cluster.kubeconfig.replace(/:\d+(?=\n|")/, ":1"));
  assert.equal(await stopped.statusCode("/healthz", signal), 0);
});
