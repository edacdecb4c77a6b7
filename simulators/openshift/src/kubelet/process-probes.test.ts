import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { systemClock } from "@keelson/base";
import { eventually } from "../testing/eventually.ts";
import { ProcessProbes } from "./process-probes.ts";
import { RunOutput } from "./run-output.ts";

let server: Server;
/** What `/readyz` and `/healthz` answer. */
const codes = { "/readyz": 500, "/healthz": 200 } as Record<string, number>;
before(async () => {
  server = createServer((request, response) => {
    if (request.url !== "/silent") response.writeHead(codes[request.url ?? ""] ?? 404).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
});
after(() => {
  server.closeAllConnections();
  server.close();
});

/** A process whose port 8080 is the test's server. */
function probed(probes: object, minProbeTimeoutMs?: number) {
  const output = new RunOutput(systemClock);
  const { port } = server.address() as AddressInfo;
  const run = output.run({
    ...{ input: undefined, stop: () => undefined, hostPorts: new Map([[8_080, port]]) },
    ...(minProbeTimeoutMs === undefined ? {} : { minProbeTimeoutMs }),
  });
  const killed: string[] = [];
  let changes = 0;
  const states = new ProcessProbes({
    spec: { name: "c", ports: [{ name: "health", containerPort: 8_080 }], ...probes },
    run,
    clock: systemClock,
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

test("a process is ready when its probe says so, and no longer when that fails three times", async () => {
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

test("a process that does not live is to be ended, once", async () => {
  using process = probed({ livenessProbe: { ...get("/nowhere"), failureThreshold: 2 } });
  assert.equal(process.states.isReady, true);
  await eventually(() =>
    assert.deepEqual(process.killed, ["Container c failed liveness probe, will be restarted"]),
  );
});

test("an answer is awaited for seconds, and for longer from what shares its process with many", async () => {
  const livenessProbe = { ...get("/silent"), failureThreshold: 1 };
  using shared = probed({ livenessProbe }, 60_000);
  using alone = probed({ livenessProbe });
  await eventually(() => assert.equal(alone.killed.length, 1));
  assert.deepEqual(shared.killed, []);
});

test("nothing is asked of a process that starts, until its startup probe has succeeded", async () => {
  codes["/startup"] = 503;
  using process = probed({
    startupProbe: { ...get("/startup"), failureThreshold: 100 },
    livenessProbe: { ...get("/nowhere"), failureThreshold: 1 },
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.deepEqual(process.killed, []);
  codes["/startup"] = 200;
  await eventually(() => assert.equal(process.killed.length, 1));
});

test("sockets count as they connect; ports that are not declared count as closed", async () => {
  using open = probed({ readinessProbe: { tcpSocket: { port: 8_080 }, periodSeconds: 1 } });
  await eventually(() => assert.equal(open.states.isReady, true));
  using closed = probed({
    livenessProbe: { tcpSocket: { port: 81 }, periodSeconds: 1, failureThreshold: 1 },
  });
  await eventually(() => assert.equal(closed.killed.length, 1));
});
