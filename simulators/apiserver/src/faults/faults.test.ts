import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { kubernetesVersion } from "@keelson/kinds";
import { TestServer } from "../testing/test-server.ts";
import type { FaultableRequest, RequestFault } from "./api-faults.ts";

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server[Symbol.asyncDispose]());

const configMaps = "/api/v1/namespaces/default/configmaps";

/** Injects a fault until `use` returns. */
async function withFault(
  fault: (request: FaultableRequest) => RequestFault | undefined,
  use: () => Promise<void>,
): Promise<void> {
  server.cluster.setFaults({ forRequest: fault });
  try {
    await use();
  } finally {
    server.cluster.setFaults(undefined);
  }
}

test("matching requests receive a fault's error instead of their result, and others do not", async () => {
  const error = { code: 503, reason: "ServiceUnavailable", message: "not today", retryAfterSeconds: 3 };
  const seen: FaultableRequest[] = [];
  const fault = (request: FaultableRequest) => {
    seen.push(request);
    return request.verb === "list" ? { error } : undefined;
  };
  await withFault(fault, async () => {
    const list = await server.call("GET", `${configMaps}?resourceVersion=7`);
    assert.equal(list.status, 503);
    assert.equal(list.headers["retry-after"], "3");
    assert.equal(scalarStringAt(list.body, "message"), "not today");
    assert.equal((await server.call("GET", `${configMaps}/kube-root-ca.crt`)).status, 200);
  });
  assert.deepEqual(seen[0], {
    verb: "list",
    group: "",
    resource: "configmaps",
    subresource: "",
    namespace: "default",
    name: "",
    resourceVersion: "7",
    user: "system:admin",
  });
  assert.equal((await server.call("GET", configMaps)).status, 200);
});

test("a delay fault delays the response", async () => {
  await withFault(
    () => ({ delayMs: 80 }),
    async () => {
      const started = performance.now();
      assert.equal((await server.call("GET", configMaps)).status, 200);
      assert.ok(performance.now() - started >= 79);
    },
  );
});

test("a cut fault breaks a watch without a final chunk", async () => {
  await withFault(
    ({ verb }) => (verb === "watch" ? { cutAfterMs: 30 } : undefined),
    async () => {
      const stream = await server.open("GET", `${configMaps}?watch=true`);
      stream.resume();
      const [error] = await once(stream, "error");
      assert.equal(error.code, "ECONNRESET");
    },
  );
});

test("dropStreams closes all streams, and new ones can begin", async () => {
  const stream = await server.open("GET", `${configMaps}?watch=true`);
  stream.resume();
  const ended = once(stream, "close");
  server.cluster.dropStreams();
  await ended;
  const next = await server.open("GET", `${configMaps}?watch=true`);
  assert.equal(next.statusCode, 200);
  next.destroy();
});

test("a skewed clock affects creation timestamps until it is reset", async () => {
  const bornAt = async (name: string) => {
    const { body } = await server.call("POST", configMaps, { body: { metadata: { name } } });
    return Date.parse(scalarStringAt(body, "metadata", "creationTimestamp") ?? "");
  };
  server.cluster.setFaults({ clockSkewMs: 3_600_000, forRequest: () => undefined });
  assert.ok((await bornAt("future")) > Date.now() + 3_500_000);
  server.cluster.setFaults(undefined);
  assert.ok((await bornAt("present")) <= Date.now());
});

test("setGitVersion changes the version that the cluster reports", async () => {
  const version = async () => scalarStringAt((await server.call("GET", "/version")).body, "gitVersion");
  assert.equal(await version(), `v${kubernetesVersion}`);
  server.cluster.setGitVersion("v1.33.1");
  assert.equal(await version(), "v1.33.1");
});

test("an in-process eviction respects the pod's disruption budget", async () => {
  const { client } = server.cluster;
  const pods = { group: "", version: "v1", resource: "pods" };
  const labels = { app: "kept" };
  const metadata = { namespace: "default", name: "kept", labels };
  await client.create(pods, {
    apiVersion: "v1",
    kind: "Pod",
    metadata,
    spec: { containers: [{ name: "c", image: "i" }] },
  });
  await client.mergePatch(
    pods,
    metadata,
    { status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } },
    "status",
  );
  const budgets = { group: "policy", version: "v1", resource: "poddisruptionbudgets" };
  await client.create(budgets, {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { namespace: "default", name: "kept" },
    spec: { maxUnavailable: 0, selector: { matchLabels: labels } },
  });
  await assert.rejects(client.evict(metadata), { code: 429 });
  await client.delete(budgets, { namespace: "default", name: "kept" });
  await client.evict(metadata);
  assert.equal(await client.find(pods, metadata), undefined);
});
