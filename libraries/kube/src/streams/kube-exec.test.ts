import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Kubelet } from "@keelson/apiserver";
import { ManualClock } from "@keelson/base/testing";
import { KubeError, resources } from "../index.ts";
import { connect, startCluster } from "../testing/cluster.ts";
import { keepAlive, parseFrame } from "./kube-exec.ts";

const { signal } = new AbortController();
const key = { namespace: "default", name: "pod" };
const request = (...command: readonly string[]) => ({
  namespace: "default",
  pod: "pod",
  container: "c",
  command,
});

/**
 * Fake kubelet. Its log consists of the line `one`, followed by `last` if the log is followed. It runs the commands `echo`,
 * `flood` and `hang`.
 */
const kubelet: Pick<Kubelet, "logs" | "exec"> & { hung: number } = {
  hung: 0,
  async *logs(_pod, { follow }) {
    yield Buffer.from("one\n");
    if (follow) yield Buffer.from("last\n");
  },
  async exec(_pod, { command }, { stdout, stderr }, stop) {
    const [name, words = ""] = command;
    if (name === "echo") {
      stdout?.write(words);
      stderr?.write("aside");
      return words === "" ? 3 : 0;
    }
    if (name === "flood") {
      for (let sent = 0; sent < 64; sent++) {
        if (stdout && !stdout.write(Buffer.alloc(16_384, "x"))) await delay(1);
      }
      return 0;
    }
    kubelet.hung += 1;
    return new Promise((resolve) => stop.addEventListener("abort", () => resolve(137)));
  },
};

let cluster: Awaited<ReturnType<typeof startCluster>>;
before(async () => {
  cluster = await startCluster();
  const refuse = () => Promise.reject(new Error("not in this test"));
  cluster.logical.setKubelet({ ...kubelet, attach: refuse, connect: refuse, askNode: refuse });
  const { client } = cluster.logical;
  const node = { apiVersion: "v1", kind: "Node", metadata: { name: "node" } };
  await client.create({ group: "", version: "v1", resource: "nodes" }, node);
  const pods = { group: "", version: "v1", resource: "pods" };
  const pod = await client.create(pods, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: key,
    spec: { nodeName: "node", containers: [{ name: "c", image: "i" }] },
  });
  const running = { name: "c", ready: true, restartCount: 0, image: "i", imageID: "i" };
  const state = { running: { startedAt: "2026-01-01T00:00:00Z" } };
  const status = { phase: "Running", containerStatuses: [{ ...running, state }] };
  await client.updateStatus(pods, { ...pod, status });
});
after(() => cluster[Symbol.asyncDispose]());

async function collect(...command: readonly string[]) {
  await using kube = connect(cluster.kubeconfig);
  const texts = { stdout: "", stderr: "" };
  for await (const output of kube.exec(request(...command), signal)) {
    if (output.stream === "exit") return { ...texts, failure: output.failure };
    texts[output.stream] += output.bytes.toString();
  }
  throw new Error("the stream ended without a result");
}

test("a command's output comes by stream, then how it ended", async () => {
  assert.deepEqual(await collect("echo", "hello"), { stdout: "hello", stderr: "aside", failure: undefined });
  const failed = await collect("echo", "");
  assert.equal(failed.stderr, "aside");
  assert.match(failed.failure ?? "", /exit status 3/);
});

test("a slow reader gets all that a fast command writes", async () => {
  await using kube = connect(cluster.kubeconfig);
  let received = 0;
  for await (const output of kube.exec(request("flood"), signal)) {
    if (output.stream === "stdout") received += output.bytes.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(received, 64 * 16_384);
});

test("a pod that is not there is the server's failure, with what it is about", async () => {
  await using kube = connect(cluster.kubeconfig);
  const outputs = kube.exec({ ...request("echo"), pod: "other" }, signal)[Symbol.asyncIterator]();
  await assert.rejects(outputs.next(), (error) => {
    assert.ok(error instanceof KubeError);
    assert.deepEqual([error.code, error.reason], [404, "NotFound"]);
    assert.deepEqual(error.subject, { group: "", kind: "pods", name: "other" });
    return true;
  });
});

test("an aborted command ends with the reason of the signal", async () => {
  await using kube = connect(cluster.kubeconfig);
  const stop = new AbortController();
  const next = kube.exec(request("hang"), stop.signal)[Symbol.asyncIterator]().next();
  const ended = assert.rejects(next, /enough/);
  while (kubelet.hung === 0) await delay(5);
  stop.abort(new Error("enough"));
  await ended;
});

test("logs are read to the end of the container when they are followed", async () => {
  await using kube = connect(cluster.kubeconfig);
  const read = async (follow: boolean, limitBytes?: number) => {
    const options = { container: "c", follow, ...(limitBytes === undefined ? {} : { limitBytes }) };
    const chunks = await Array.fromAsync(kube.logs(key, options, signal));
    return Buffer.concat(chunks).toString();
  };
  assert.equal(await read(false), "one\n");
  assert.equal(await read(true), "one\nlast\n");
});

test("a deletion that must find its object fails without it", async () => {
  await using kube = connect(cluster.kubeconfig);
  const gone = { namespace: "default", name: "gone" };
  const forced = { gracePeriodSeconds: 0, mustExist: true };
  await assert.rejects(kube.delete(resources.pods, gone, signal, forced), /not found/);
  const metadata = { namespace: "default", name: "doomed" };
  const spec = { nodeName: "node", containers: [{ name: "c", image: "i" }] };
  await kube.create(resources.pods, { apiVersion: "v1", kind: "Pod", metadata, spec }, signal);
  await kube.delete(resources.pods, metadata, signal, forced);
  assert.equal(await kube.find(resources.pods, metadata, signal), undefined);
});

test("a page has its objects and a continue token", async () => {
  await using kube = connect(cluster.kubeconfig);
  const page = await kube.page(resources.namespaces, { limit: 2 }, signal);
  assert.deepEqual([page.kind, page.apiVersion, page.items.length], ["NamespaceList", "v1", 2]);
  assert.ok(page.continue);
  const rest = await kube.page(resources.namespaces, { limit: 100, continue: page.continue }, signal);
  assert.equal(rest.continue, undefined);
  assert.notEqual(rest.items[0]?.metadata.name, page.items[0]?.metadata.name);
});

test("frames on unknown channels are rejected", () => {
  assert.equal(parseFrame(Buffer.from([9])), undefined);
  assert.throws(() => parseFrame(Buffer.from([9, 1])), /unknown channel 9/);
  assert.throws(() => parseFrame(Buffer.from("\x03{")), /no JSON/);
  assert.throws(() => parseFrame(Buffer.from("\x03[]")), /no Status/);
  assert.deepEqual(parseFrame(Buffer.from('\x03{"status":"Failure"}')), {
    stream: "exit",
    failure: "the command failed without a message",
  });
  assert.deepEqual(parseFrame(Buffer.from('\x03{"status":"Success"}')), { stream: "exit" });
});

class Silent extends EventEmitter {
  readonly OPEN = 1;
  readonly readyState = 1;
  isPaused = true;
  pings = 0;
  ping(): void {
    this.pings += 1;
    if (this.pings === 5) this.isPaused = false;
    this.emit("ping");
  }
}

test("a delay of this process does not count as silence of the server", async () => {
  const socket = new Silent();
  socket.isPaused = false;
  const stop = keepAlive(socket, { pingIntervalMs: 1, silenceLimitMs: 2_500 });
  await once(socket, "ping");
  for (const endMs = performance.now() + 3_500; performance.now() < endMs; );
  for (let pings = 0; pings < 3; pings++) await once(socket, "ping");
  stop();
});

test("a server that is silent for the limit on the injected clock is given up", async () => {
  const socket = new Silent();
  socket.isPaused = false;
  const clock = new ManualClock();
  const stop = keepAlive(socket, { pingIntervalMs: 1, silenceLimitMs: 1_000, clock });
  clock.stall(9_000);
  for (let pings = 0; pings < 3; pings++) await once(socket, "ping");
  await clock.advance(1_000);
  await assert.rejects(once(socket, "open"), /the server was silent for 1000 ms/);
  stop();
});

test("a connection on which nothing comes is given up, unless its reader paused it", async () => {
  const socket = new Silent();
  const stop = keepAlive(socket, { pingIntervalMs: 1, silenceLimitMs: 20 });
  await assert.rejects(once(socket, "open"), /the server was silent for 20 ms/);
  stop();
  assert.ok(socket.pings >= 5);
});
