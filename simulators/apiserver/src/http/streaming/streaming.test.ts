import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { valueAt } from "@keelson/base";
import { until } from "@keelson/base/testing/eventually";
import { WebSocket } from "ws";
import { TestKubelet } from "../../testing/test-kubelet.ts";
import { TestServer } from "../../testing/test-server.ts";

const kubelet = new TestKubelet();
const pods = { group: "", version: "v1", resource: "pods" };
let server: TestServer;

before(async () => {
  server = await TestServer.start();
  server.cluster.setKubelet(kubelet);
  await server.cluster.client.create(
    { group: "", version: "v1", resource: "nodes" },
    { apiVersion: "v1", kind: "Node", metadata: { name: "n" } },
  );
  await createPod("p", ["c"]);
  await createPod("two", ["a", "b"]);
  await createPod("waiting", ["c"], {
    containerStatuses: [status("c", { waiting: { reason: "ContainerCreating" } })],
  });
  await createPod("failing", ["c"], {
    containerStatuses: [status("c", { waiting: { reason: "ImagePullBackOff" } })],
  });
});
after(() => server[Symbol.asyncDispose]());

function status(name: string, state: object) {
  return { name, image: "i", imageID: "i", ready: false, restartCount: 0, state };
}

async function createPod(name: string, containers: readonly string[], state?: object): Promise<void> {
  await server.cluster.client.create(pods, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "default" },
    spec: { nodeName: "n", containers: containers.map((each) => ({ name: each, image: "i" })) },
  });
  const running = containers.map((each) => status(each, { running: { startedAt: "2026-01-01T00:00:00Z" } }));
  const value = { phase: "Running", containerStatuses: running, ...state };
  await server.cluster.client.mergePatch(pods, { namespace: "default", name }, { status: value }, "status");
}

const podPath = (name: string, subresource: string) =>
  `/api/v1/namespaces/default/pods/${name}/${subresource}`;

function open(path: string, protocols: string[]): WebSocket {
  return new WebSocket(`${server.cluster.url.replace("https", "wss")}${path}`, protocols, {
    ca: server.authority.certificatePem,
    cert: server.admin.certificatePem,
    key: server.admin.privateKeyPem,
  });
}

/** Collects all messages by channel until the server closes the connection. */
async function talk(
  path: string,
  protocol: string,
  say: (webSocket: WebSocket) => void = () => undefined,
): Promise<Map<number, string>> {
  const webSocket = open(path, [protocol]);
  const heard = new Map<number, string>();
  webSocket.on("message", (data: Buffer) => {
    const channel = data[0] ?? 255;
    heard.set(channel, (heard.get(channel) ?? "") + data.subarray(1).toString());
  });
  await once(webSocket, "open");
  assert.equal(webSocket.protocol, protocol);
  say(webSocket);
  await once(webSocket, "close");
  return heard;
}

const refusals: readonly (readonly [string, number, string])[] = [
  ["two/log", 400, "a container name must be specified for pod two, choose one of: [a b]"],
  ["two/log?container=z", 400, "container z is not valid for pod two"],
  ["waiting/log", 400, 'container "c" in pod "waiting" is waiting to start: ContainerCreating'],
  [
    "failing/log",
    400,
    'container "c" in pod "failing" is waiting to start: trying and failing to pull image',
  ],
  ["p/log?previous=true", 400, 'previous terminated container "c" in pod "p" not found'],
  [
    "p/log?tailLines=-1",
    422,
    'PodLogOptions "p" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
  ],
  ["p/log?limitBytes=x", 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
  ["absent/log", 404, 'pods "absent" not found'],
  ["p/exec?command=echo&stdout=true", 400, "Upgrade request required"],
];
for (const [subresource, code, message] of refusals) {
  test(`${subresource} fails with ${code}: ${message}`, async () => {
    const { status, body } = await server.call("GET", `/api/v1/namespaces/default/pods/${subresource}`);
    assert.equal(status, code);
    assert.equal(valueAt(body, "message"), message);
  });
}

test("logs are plain text, limited as requested, and followed to the end", async () => {
  const whole = await server.call("GET", podPath("p", "log"));
  assert.equal(whole.headers["content-type"], "text/plain");
  assert.equal(whole.text, "one\ntwo\nthree\n");
  assert.equal((await server.call("GET", podPath("p", "log?tailLines=1"))).text, "three\n");
  assert.equal((await server.call("GET", podPath("p", "log?limitBytes=5"))).text, "one\nt");
  assert.equal((await server.call("GET", podPath("p", "log?follow=true&tailLines=1"))).text, "three\nlast\n");
});

test("output and success of a command are sent over WebSocket channels", async () => {
  const path = podPath("p", "exec?command=echo&command=a&command=b&stdout=true&stderr=true");
  const heard = await talk(path, "v5.channel.k8s.io");
  assert.equal(heard.get(1), "a b\n");
  assert.equal(heard.get(2), "done\n");
  assert.deepEqual(JSON.parse(heard.get(3) ?? ""), { metadata: {}, status: "Success" });
});

test("the final status has the exit code as a cause", async () => {
  const heard = await talk(podPath("p", "exec?command=exit&command=7&stdout=true"), "v4.channel.k8s.io");
  const status: unknown = JSON.parse(heard.get(3) ?? "");
  assert.equal(valueAt(status, "reason"), "NonZeroExitCode");
  assert.deepEqual(valueAt(status, "details"), { causes: [{ reason: "ExitCode", message: "7" }] });
});

test("closing standard input ends a command that reads it", async () => {
  const heard = await talk(
    podPath("p", "exec?command=cat&stdin=true&stdout=true"),
    "v5.channel.k8s.io",
    (to) => {
      to.send(Buffer.from("\0hello "));
      to.send(Buffer.from("\0there"));
      to.send(Buffer.of(255, 0));
    },
  );
  assert.equal(heard.get(1), "hello there");
});

test("the size of the client's terminal reaches the command", async () => {
  const heard = await talk(
    podPath("p", "exec?command=size&stdout=true&tty=true"),
    "v5.channel.k8s.io",
    (to) => to.send(Buffer.from('\x04{"Width":80,"Height":24}')),
  );
  assert.equal(heard.get(1), "80x24\n");
});

test("base64 channels carry text", async () => {
  const path = podPath("p", "exec?command=cat&stdin=true&stdout=true");
  const webSocket = open(path, ["base64.channel.k8s.io"]);
  await once(webSocket, "open");
  webSocket.send(`0${Buffer.from("hi").toString("base64")}`);
  const [message] = await once(webSocket, "message");
  assert.equal(String(message), `1${Buffer.from("hi").toString("base64")}`);
  webSocket.close();
});

test("a client disconnect ends the command, and a pod deletion ends the connection", async () => {
  const path = podPath("p", "exec?command=wait&stdout=true");
  const webSocket = open(path, ["v5.channel.k8s.io"]);
  await once(webSocket, "open");
  webSocket.terminate();
  await until(() => kubelet.aborted.length === 1);
  await createPod("short", ["c"]);
  const talking = talk(podPath("short", "exec?command=wait&stdout=true"), "v5.channel.k8s.io");
  await new Promise((resolve) => setTimeout(resolve, 50));
  const remove = podPath("short", "").replace(/\/$/, "?gracePeriodSeconds=0");
  await server.call("DELETE", remove);
  assert.match((await talking).get(3) ?? "", /137/);
});

test("large output is sent with back-pressure", async () => {
  const path = podPath("p", "exec?command=flood&command=20000000&stdout=true");
  const webSocket = open(path, ["v5.channel.k8s.io"]);
  let size = 0;
  webSocket.on("message", (data: Buffer) => {
    if (data[0] === 1) size += data.length - 1;
  });
  await once(webSocket, "open");
  webSocket.pause();
  await new Promise((resolve) => setTimeout(resolve, 100));
  webSocket.resume();
  await once(webSocket, "close");
  assert.equal(size, 20_000_000);
});

test("ports are forwarded over channels with data and errors", async () => {
  const webSocket = open(podPath("p", "portforward?ports=7&ports=9"), ["v4.channel.k8s.io"]);
  const heard = new Map<number, Buffer>();
  webSocket.on("message", (data: Buffer) => {
    const channel = data[0] ?? 255;
    heard.set(channel, Buffer.concat([heard.get(channel) ?? Buffer.alloc(0), data.subarray(1)]));
  });
  await once(webSocket, "open");
  webSocket.send(Buffer.from("\0ping"));
  await until(() => heard.get(0)?.subarray(2).toString() === "ping" && (heard.get(3)?.length ?? 0) > 2);
  assert.equal(heard.get(0)?.readUInt16LE(0), 7);
  assert.equal(heard.get(3)?.readUInt16LE(0), 9);
  assert.match(heard.get(3)?.subarray(2).toString() ?? "", /connection refused/);
  webSocket.close();
  await once(webSocket, "close");
});

test("HTTP is forwarded to pods and nodes without the client's credentials", async () => {
  const headers = { authorization: "Bearer secret-token" };
  const pod = await server.call("GET", `${podPath("p:80", "proxy")}/a%2Fb/?x=1`, { headers });
  assert.equal(pod.text, "GET /a%2Fb/?x=1 HTTP/1.1 authorization=false");
  assert.equal(pod.headers["x-from"], "pod");
  assert.equal((await server.call("GET", `${podPath("http:p:80", "proxy")}/`)).status, 200);
  const dead = await server.call("GET", `${podPath("p:81", "proxy")}/`);
  assert.equal(dead.status, 503);
  assert.match(String(valueAt(dead.body, "message")), /^error trying to reach service: .*connection refused/);
  assert.equal((await server.call("GET", "/api/v1/nodes/n/proxy/metrics?a=b")).text, "GET /metrics?a=b");
  assert.equal(
    (await server.call("GET", podPath("p:80", "proxy"))).headers.location,
    `/clusters/demo${podPath("p:80", "proxy")}/`,
  );
});

test("a client that may only get pods/exec cannot run commands over a WebSocket", async () => {
  const { client } = server.cluster;
  const role = { group: "rbac.authorization.k8s.io", version: "v1", resource: "clusterroles" };
  await client.create(role, {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: "reader" },
    rules: [{ apiGroups: [""], resources: ["pods/exec", "pods/log"], verbs: ["get"] }],
  });
  await client.create(
    { ...role, resource: "clusterrolebindings" },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata: { name: "reader" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "reader" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "jane" }],
    },
  );
  const user = await server.user({ commonName: "jane" });
  assert.equal((await server.call("GET", podPath("p", "log"), { user })).status, 200);
  const path = podPath("p", "exec?command=echo&stdout=true");
  const webSocket = new WebSocket(
    `${server.cluster.url.replace("https", "wss")}${path}`,
    ["v5.channel.k8s.io"],
    {
      ca: server.authority.certificatePem,
      cert: user.certificatePem,
      key: user.privateKeyPem,
    },
  );
  const [error] = await once(webSocket, "error");
  assert.match(String(error), /403/);
});
