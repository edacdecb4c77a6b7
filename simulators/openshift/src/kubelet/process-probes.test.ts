import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { eventually as eventuallyReal } from "@keelson/base/testing/eventually";
import { ProcessProbes } from "./process-probes.ts";
import { RunOutput } from "./runs/run-output.ts";

let server: Server;
/** Clock of the probes. HTTP requests use real time. */
let clock = new ManualClock();
/** Called for each request before the response. */
let onRequest = (): void => undefined;
/** Response status codes by path. */
const codes = { "/readyz": 500, "/healthz": 200 } as Record<string, number>;
before(async () => {
  server = createServer((request, response) => {
    onRequest();
    response.writeHead(codes[request.url ?? ""] ?? 404).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
});
after(() => {
  server.closeAllConnections();
  server.close();
});

/** Starts probes of a process. The test's server responds on port 8080 of the process. */
function probed(probes: object) {
  clock = new ManualClock();
  onRequest = () => undefined;
  const output = new RunOutput(clock);
  const { port } = server.address() as AddressInfo;
  const run = output.run({
    input: undefined,
    stop: () => undefined,
    hostPorts: new Map([[8_080, port]]),
  });
  const killed: string[] = [];
  let changes = 0;
  const states = new ProcessProbes({
    spec: { name: "c", ports: [{ name: "health", containerPort: 8_080 }], ...probes },
    run,
    clock,
    changed: () => changes++,
    unhealthy: (message) => killed.push(message),
  });
  return {
    states,
    killed,
    get changes() {
      return changes;
    },
    [Symbol.dispose]: () => output.end({ exitCode: 0, reason: "Completed" }),
  };
}

const get = (path: string, port: number | string = 8_080) => ({ httpGet: { path, port }, periodSeconds: 1 });

/** Repeats a check until it succeeds. Before each attempt, advances the probes' clock by one second. */
const eventually = (check: () => void) =>
  eventuallyReal(async () => {
    await clock.advance(1_000);
    check();
  });

/** Waits for the next `count` probes of a path. */
async function probe(path: string, count: number): Promise<void> {
  let requests = 0;
  const record = ({ url }: IncomingMessage) => {
    if (url === path) requests += 1;
  };
  server.on("request", record);
  await eventually(() => assert.ok(requests >= count));
  server.off("request", record);
}

test("a process is ready when its probe succeeds and not ready after three failures", async () => {
  codes["/readyz"] = 500;
  using process = probed({ readinessProbe: get("/readyz", "health") });
  assert.equal(process.states.isReady, false);
  codes["/readyz"] = 200;
  await eventually(() => assert.equal(process.states.isReady, true));
  codes["/readyz"] = 503;
  await eventually(() => assert.equal(process.states.isReady, false));
  assert.equal(process.changes, 2);
  assert.deepEqual(process.killed, []);
});

test("a process that is not alive is stopped once", async () => {
  codes["/healthz"] = 200;
  using process = probed({ livenessProbe: { ...get("/healthz"), failureThreshold: 2 } });
  assert.equal(process.states.isReady, true);
  await probe("/healthz", 1);
  codes["/healthz"] = 404;
  await eventually(() =>
    assert.deepEqual(process.killed, ["Container c failed liveness probe, will be restarted"]),
  );
  codes["/healthz"] = 200;
});

test("failures while the event loop of the kubelet is late do not count", async () => {
  codes["/healthz"] = 200;
  using process = probed({ livenessProbe: { ...get("/healthz"), failureThreshold: 1 } });
  await probe("/healthz", 1);
  codes["/healthz"] = 500;
  onRequest = () => clock.stall(5_500);
  await probe("/healthz", 10);
  assert.deepEqual(process.killed, []);
  onRequest = () => undefined;
  await eventually(() => assert.equal(process.killed.length, 1));
  codes["/healthz"] = 200;
});

test("liveness counts after the first success, or ten minutes after the start", async () => {
  codes["/healthz"] = 500;
  using process = probed({ livenessProbe: { ...get("/healthz"), failureThreshold: 1 } });
  const startedMs = clock.monotonicMs();
  await probe("/healthz", 10);
  assert.deepEqual(process.killed, []);
  await clock.advance(600_000);
  await eventually(() => assert.equal(process.killed.length, 1));
  assert.ok(clock.monotonicMs() - startedMs >= 600_000);
  codes["/healthz"] = 200;
});

test("liveness is not probed before the startup probe has succeeded", async () => {
  codes["/startup"] = 503;
  codes["/healthz"] = 200;
  using process = probed({
    startupProbe: { ...get("/startup"), failureThreshold: 100 },
    livenessProbe: get("/healthz"),
  });
  const paths: (string | undefined)[] = [];
  const record = ({ url }: IncomingMessage) => void paths.push(url);
  server.on("request", record);
  await probe("/startup", 3);
  assert.deepEqual([...new Set(paths)], ["/startup"]);
  codes["/startup"] = 200;
  await eventually(() => assert.ok(paths.includes("/healthz")));
  server.off("request", record);
  assert.deepEqual(process.killed, []);
});

test("sockets count as they connect; ports that are not declared count as closed", async () => {
  using open = probed({ readinessProbe: { tcpSocket: { port: 8_080 }, periodSeconds: 1 } });
  await eventually(() => assert.equal(open.states.isReady, true));
  using closed = probed({
    livenessProbe: { tcpSocket: { port: 81 }, periodSeconds: 1, failureThreshold: 1 },
  });
  await clock.advance(600_000);
  await eventually(() => assert.equal(closed.killed.length, 1));
});

test("probes share a connection, and a connection that the server closes fails no probe", async () => {
  codes["/readyz"] = 200;
  let connections = 0;
  const count = () => {
    connections += 1;
  };
  server.on("connection", count);
  using process = probed({ readinessProbe: { ...get("/readyz"), failureThreshold: 1 } });
  await probe("/readyz", 4);
  assert.equal(connections, 1);
  assert.equal(process.states.isReady, true);
  for (let closed = 1; closed <= 3; closed++) {
    server.closeIdleConnections();
    await probe("/readyz", 2);
  }
  server.off("connection", count);
  // Each closed connection may need two new connections: one for the retry, which is closed after the probe, and one for later
  // probes.
  assert.ok(connections > 1 && connections <= 7, `${connections} connections`);
  // The process became ready once and did not change afterwards.
  assert.equal(process.changes, 1);
});
