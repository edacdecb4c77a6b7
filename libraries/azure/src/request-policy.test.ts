import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { test } from "node:test";
import {
  createDefaultHttpClient,
  createEmptyPipeline,
  createHttpHeaders,
  createPipelineRequest,
  RestError,
} from "@azure/core-rest-pipeline";
import { silentLogger, Tracing } from "@keelson/base";
import { type Span, TraceFlags, trace } from "@opentelemetry/api";
import { azureErrorCode } from "./azure-error.ts";
import { type AzureRequestEvent, requestPolicy } from "./request-policy.ts";
import { retryAdvice } from "./retry-advice.ts";

async function silentServer(): Promise<AsyncDisposable & { readonly url: string }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.on("error", () => {}))).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function send(url: string, abortSignal: AbortSignal) {
  const pipeline = createEmptyPipeline();
  pipeline.addPolicy(requestPolicy({ logger: silentLogger, timeoutMs: 50 }));
  const request = createPipelineRequest({ url, allowInsecureConnection: true, abortSignal });
  return pipeline.sendRequest(createDefaultHttpClient(), request);
}

test("a request without a timely response is retriable", async () => {
  await using server = await silentServer();
  await assert.rejects(send(server.url, new AbortController().signal), (error) => {
    assert.equal(azureErrorCode(error), "ETIMEDOUT");
    assert.deepEqual(retryAdvice(error), { kind: "retry" });
    return true;
  });
});

test("an abort by the caller is not reported as a time-out", async () => {
  await using server = await silentServer();
  const stop = new AbortController();
  const sent = send(server.url, stop.signal);
  stop.abort();
  await assert.rejects(sent, { name: "AbortError" });
});

test("a request that its caller gave up leaves nothing behind that keeps the process", async () => {
  await using server = await silentServer();
  const timers = () => process.getActiveResourcesInfo().filter((each) => each === "Timeout").length;
  const before = timers();
  const stop = new AbortController();
  const pipeline = createEmptyPipeline();
  pipeline.addPolicy(requestPolicy({ logger: silentLogger }));
  const request = createPipelineRequest({
    url: server.url,
    allowInsecureConnection: true,
    abortSignal: stop.signal,
  });
  const sent = pipeline.sendRequest(createDefaultHttpClient(), request);
  stop.abort();
  await assert.rejects(sent, { name: "AbortError" });
  assert.equal(timers(), before);
});

test("every attempt is a span that is propagated to Azure, and is counted by provider", async () => {
  const traceId = "1".repeat(32);
  const spanId = "2".repeat(16);
  const started: string[] = [];
  const tracing = new Tracing({
    startSpan(name): Span {
      started.push(name);
      return trace.wrapSpanContext({ traceId, spanId, traceFlags: TraceFlags.SAMPLED });
    },
    startActiveSpan: () => undefined,
  });
  const events: AzureRequestEvent[] = [];
  const onRequest = (event: AzureRequestEvent) => events.push(event);
  const policy = requestPolicy({ logger: silentLogger, tracing, onRequest });
  const request = createPipelineRequest({
    url: "https://arm.example.org/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/v",
  });
  const response = { request, status: 429, headers: createHttpHeaders() };
  await policy.sendRequest(request, async () => response);
  await assert.rejects(
    policy.sendRequest(request, () => Promise.reject(new RestError("no", { code: "ENOTFOUND" }))),
  );
  assert.equal(request.headers.get("traceparent"), `00-${traceId}-${spanId}-01`);
  assert.deepEqual(started, ["GET arm.example.org", "GET arm.example.org"]);
  assert.deepEqual(
    events.map(({ client, code }) => [client, code]),
    [
      ["microsoft.compute", "429"],
      ["microsoft.compute", "ENOTFOUND"],
    ],
  );
});

test("hosts of accounts count together: a label for each cluster's would be too many", async () => {
  const hosts = {
    "https://cluster1a2b.blob.core.windows.net/aro/graph": "blob.core.windows.net",
    "https://Keelson-EUS.vault.azure.net/secrets/s": "vault.azure.net",
    "https://management.azure.com/subscriptions": "management.azure.com",
    "https://login.microsoftonline.com/t/oauth2/v2.0/token": "login.microsoftonline.com",
    "https://localhost:8444/blobs/cluster1a2b/aro": "localhost:8444",
    "https://127.0.0.1/subscriptions": "127.0.0.1",
  };
  for (const [url, expected] of Object.entries(hosts)) {
    const clients: string[] = [];
    const policy = requestPolicy({
      logger: silentLogger,
      onRequest: ({ client }) => {
        clients.push(client);
      },
    });
    const request = createPipelineRequest({ url });
    await policy.sendRequest(request, async () => ({ request, status: 200, headers: createHttpHeaders() }));
    assert.deepEqual(clients, [expected]);
  }
});
