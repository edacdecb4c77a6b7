import assert from "node:assert/strict";
import { test } from "node:test";
import { createHttpHeaders, type HttpClient, type PipelineRequest } from "@azure/core-rest-pipeline";
import { RedHatOpenShiftClient } from "../index.ts";

interface Response {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Creates a client with canned responses, returned in turn. */
function clientWith(...responses: readonly Response[]) {
  const requests: PipelineRequest[] = [];
  const httpClient: HttpClient = {
    sendRequest: async (request) => {
      const { status, headers = {}, body } = responses[requests.push(request) - 1] ?? { status: 599 };
      const bodyAsText = typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body);
      return { request, status, headers: createHttpHeaders(headers), bodyAsText };
    },
  };
  const getToken = async () => ({ token: "its-token", expiresOnTimestamp: Date.now() + 3_600_000 });
  const client = new RedHatOpenShiftClient({ getToken }, "subscription", {
    endpoint: "https://arm.example",
    httpClient,
    retryOptions: { maxRetries: 0 },
  });
  return { requests, clusters: client.openShiftClusters };
}

const status = "https://arm.example/status?api-version=2025-07-25";
const begun: Response = {
  status: 201,
  headers: { "azure-asyncoperation": status },
  body: { location: "eastus", properties: { provisioningState: "Creating" } },
};
const running: Response = { status: 200, body: { status: "Creating" } };
const done: Response = { status: 200, body: { status: "Succeeded" } };
const cluster = { location: "eastus", properties: { provisioningState: "Succeeded" } };
const fast = { intervalInMs: 1 };

test("a request has the version, the token, and each value as one segment of the path", async () => {
  const { requests, clusters } = clientWith({ status: 200, body: cluster });
  assert.deepEqual(await clusters.get("a/b?", "ü"), cluster);
  assert.equal(
    requests[0]?.url,
    "https://arm.example/subscriptions/subscription/resourceGroups/a%2Fb%3F/providers/Microsoft.RedHatOpenShift/openShiftClusters/%C3%BC?api-version=2025-07-25",
  );
  assert.equal(requests[0]?.headers.get("authorization"), "Bearer its-token");
});

test("a creation is followed to its end, and the cluster read then", async () => {
  const { requests, clusters } = clientWith(begun, running, running, done, { status: 200, body: cluster });
  assert.deepEqual(await clusters.createOrUpdate("group", "name", { location: "eastus" }, fast), cluster);
  const url = requests[0]?.url;
  assert.deepEqual(
    requests.map((request) => `${request.method} ${request.url}`),
    [`PUT ${url}`, `GET ${status}`, `GET ${status}`, `GET ${status}`, `GET ${url}`],
  );
});

test("an operation that fails later rejects with the code of the service", async () => {
  const error = { code: "InvalidLinkedVNet", message: "There is no such network." };
  const { clusters } = clientWith(begun, { status: 200, body: { status: "Failed", error } });
  const creation = clusters.createOrUpdate("group", "name", { location: "eastus" }, fast);
  await assert.rejects(Promise.resolve(creation), /InvalidLinkedVNet.*There is no such network\./);
  assert.equal(creation.operationState?.status, "failed");
});

test("a deletion ends without a further read of the cluster", async () => {
  const accepted = { status: 202, headers: { location: `${status}&result`, "azure-asyncoperation": status } };
  const { requests, clusters } = clientWith(accepted, done);
  await clusters.delete("group", "name", fast);
  assert.deepEqual(
    requests.map(({ method }) => method),
    ["DELETE", "GET"],
  );
  const gone = clientWith({ status: 204 });
  await gone.clusters.delete("group", "name", fast);
  assert.equal(gone.requests.length, 1);
});

test("a different process resumes an operation", async () => {
  const first = clientWith(begun);
  const serialized = await first.clusters.createOrUpdate("group", "name", { location: "eastus" }).serialize();
  const second = clientWith(running, done, { status: 200, body: cluster });
  const options = { ...fast, restoreFrom: serialized };
  assert.deepEqual(
    await second.clusters.createOrUpdate("group", "name", { location: "eastus" }, options),
    cluster,
  );
  assert.deepEqual(
    second.requests.map(({ method }) => method),
    ["GET", "GET", "GET"],
  );
});

test("an aborted wait ends at once and leaves the operation alone", async () => {
  const { requests, clusters } = clientWith(begun, running);
  const creation = clusters.createOrUpdate(
    "group",
    "name",
    { location: "eastus" },
    { intervalInMs: 3_600_000 },
  );
  const stop = new AbortController();
  creation.onProgress(() => stop.abort());
  await assert.rejects(creation.pollUntilDone({ abortSignal: stop.signal }), { name: "AbortError" });
  assert.equal(requests.length, 2);
});

for (const [name, response, expected] of [
  [
    "the service's",
    { status: 409, body: { error: { code: "RequestNotAllowed", message: "Not now." } } },
    { name: "RestError", statusCode: 409, code: "RequestNotAllowed", message: /^Not now\./ },
  ],
  ["a proxy's", { status: 418, body: "<html>" }, { name: "RestError", statusCode: 418, message: /^<html>/ }],
  [
    "an empty one",
    { status: 410 },
    { name: "RestError", statusCode: 410, message: /^GET https:\/\/arm\.example\/.* returned status 410/ },
  ],
] as const) {
  test(`an error is reported: ${name}`, async () => {
    await assert.rejects(clientWith(response).clusters.get("group", "name"), expected);
  });
}
