import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { connect } from "node:tls";
import { createLogger } from "@keelson/base";
import { assertKeepAlive } from "@keelson/http/testing";
import { nonEmptyStringAt } from "../base/json.ts";
import { location, startTestAzure, subscriptionId } from "../testing/test-azure.ts";

const signal = AbortSignal.timeout(900_000);
const version = "api-version=2024-05-01";
const group = `/subscriptions/${subscriptionId}/resourceGroups/g`;
const vnet = `${group}/providers/Microsoft.Network/virtualNetworks/v`;
const json = { "content-type": "application/json" };

const rows: readonly {
  readonly name: string;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly status: number;
  readonly code: string;
}[] = [
  {
    name: "invalid JSON",
    method: "PUT",
    path: `${vnet}?${version}`,
    headers: json,
    body: "{nope",
    status: 400,
    code: "InvalidRequestContent",
  },
  {
    name: "JSON that is not an object",
    method: "PUT",
    path: `${vnet}?${version}`,
    headers: json,
    body: "[]",
    status: 400,
    code: "InvalidRequestContent",
  },
  {
    name: "no body",
    method: "PUT",
    path: `${vnet}?${version}`,
    headers: json,
    status: 400,
    code: "InvalidRequestContent",
  },
  {
    name: "bytes",
    method: "PUT",
    path: `${vnet}?${version}`,
    headers: { "content-type": "application/octet-stream" },
    body: "bytes",
    status: 415,
    code: "UnsupportedMediaType",
  },
  {
    name: "credentials of identities for a token that is not for them",
    method: "POST",
    path: "/identity/credentials",
    headers: json,
    body: '{"identityIds":[1]}',
    status: 401,
    code: "InvalidAuthenticationTokenAudience",
  },
  {
    name: "a question for rights with a token that is not for them",
    method: "POST",
    path: "/providers/Microsoft.Authorization/checkAccess",
    headers: json,
    body: "{}",
    status: 401,
    code: "InvalidAuthenticationTokenAudience",
  },
  {
    name: "unlimited depth",
    method: "PUT",
    path: `${vnet}?${version}`,
    headers: json,
    body: `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    status: 400,
    code: "InvalidRequestContent",
  },
  {
    name: "a body beyond 4 MB",
    method: "PUT",
    path: `${vnet}?${version}`,
    headers: json,
    body: `"${"x".repeat(4_200_000)}"`,
    status: 413,
    code: "RequestEntityTooLarge",
  },
  {
    name: "a different content type",
    method: "PUT",
    path: `${vnet}?${version}`,
    headers: { "content-type": "text/plain" },
    body: "{}",
    status: 415,
    code: "UnsupportedMediaType",
  },
  {
    name: "a form",
    method: "PUT",
    path: `${vnet}?${version}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "a=b",
    status: 415,
    code: "UnsupportedMediaType",
  },
  {
    name: "properties that are a string",
    method: "PUT",
    path: `${vnet}?${version}`,
    headers: json,
    body: `{"location":"${location}","properties":"x"}`,
    status: 400,
    code: "InvalidRequestContent",
  },
  {
    name: "a list that is an object",
    method: "PUT",
    path: `${vnet}?${version}`,
    headers: json,
    body: `{"location":"${location}","properties":{"subnets":{}}}`,
    status: 400,
    code: "InvalidRequestFormat",
  },
  {
    name: "an entry without a name",
    method: "PUT",
    path: `${vnet}?${version}`,
    headers: json,
    body: `{"location":"${location}","properties":{"subnets":[null]}}`,
    status: 400,
    code: "InvalidRequestFormat",
  },
  {
    name: "a tag that is a number",
    method: "PUT",
    path: `${vnet}?${version}`,
    headers: json,
    body: `{"location":"${location}","tags":{"a":1}}`,
    status: 400,
    code: "InvalidTagNameOrValue",
  },
  {
    name: "a name with an encoded slash",
    path: `${group}/providers/Microsoft.Network/virtualNetworks/a%2Fb?${version}`,
    status: 400,
    code: "InvalidRequestUri",
  },
  { name: "dots that climb", path: `${group}/../../x?${version}`, status: 400, code: "InvalidRequestUri" },
  {
    name: "encoded dots that climb",
    path: `${group}/%2e%2e/x?${version}`,
    status: 400,
    code: "InvalidRequestUri",
  },
  {
    name: "a name with a zero byte",
    path: `${group}/providers/Microsoft.Network/virtualNetworks/a%00b?${version}`,
    status: 400,
    code: "InvalidRequestUri",
  },
  {
    name: "an unsupported encoding",
    path: `${group}/providers/Microsoft.Network/virtualNetworks/%E0%A4%A?${version}`,
    status: 400,
    code: "InvalidRequestUri",
  },
  {
    name: "a name of spaces",
    method: "PUT",
    path: `${group}/providers/Microsoft.Network/virtualNetworks/a%20b?${version}`,
    headers: json,
    body: "{}",
    status: 400,
    code: "InvalidResourceName",
  },
  {
    name: "a name of a prototype",
    path: `${group}/providers/Microsoft.Network/__proto__/constructor?${version}`,
    status: 404,
    code: "InvalidResourceType",
  },
  {
    name: "a provider of a prototype",
    path: `${group}/providers/__proto__/x/y?${version}`,
    status: 404,
    code: "InvalidResourceNamespace",
  },
  {
    name: "a method that is not ARM's",
    method: "OPTIONS",
    path: `${vnet}?${version}`,
    status: 405,
    code: "HttpMethodNotAllowed",
  },
  { name: "an unknown path", path: `/favicon.ico?${version}`, status: 404, code: "InvalidRequestUri" },
  {
    name: "a page size of minus one",
    path: `${group}/providers/Microsoft.Network/virtualNetworks?${version}&$top=-1`,
    status: 400,
    code: "InvalidTopInQueryString",
  },
];

test("hostile requests are rejected in ARM's format, and not logged as internal errors", async (t) => {
  const lines: string[] = [];
  const logger = createLogger({ level: "warn", destination: { write: (line) => void lines.push(line) } });
  await using azure = await startTestAzure({ logger });
  await azure.clients.resources.resourceGroups.createOrUpdate("g", { location }, azure.clients.call(signal));
  const authorization = `Bearer ${await azure.clients.getToken(signal)}`;
  for (const { name, path, status, code, method = "GET", headers = {}, body } of rows) {
    await t.test(name, async () => {
      const call = {
        method,
        headers: { authorization, ...headers },
        ...(body === undefined ? {} : { body }),
      };
      const response = await azure.raw(path, call);
      assert.equal(response.status, status, response.text);
      assert.equal(nonEmptyStringAt(response.json, "error", "code"), code);
      assert.ok(nonEmptyStringAt(response.json, "error", "message"));
      assert.ok(response.headers["x-ms-request-id"]);
    });
  }
  assert.deepEqual(lines, []);
});

test("a property named __proto__ is an ordinary property", async () => {
  await using azure = await startTestAzure();
  await azure.clients.resources.resourceGroups.createOrUpdate("g", { location }, azure.clients.call(signal));
  const headers = { ...json, authorization: `Bearer ${await azure.clients.getToken(signal)}` };
  const body = `{"location":"${location}","__proto__":{"properties":{"a":1}},"properties":{"addressSpace":{"addressPrefixes":["10.0.0.0/16"]},"__proto__":{"b":1}}}`;
  assert.equal((await azure.raw(`${vnet}?${version}`, { method: "PUT", headers, body })).status, 201);
  assert.equal(Object.hasOwn(Object.prototype, "properties"), false);
  assert.equal("b" in {}, false);
  const tags = '{"__proto__":"a","constructor":"b","toString":"c"}';
  const call = async (method: string, path: string, text?: string) => {
    const response = await azure.raw(`${path}?api-version=2024-03-01`, {
      method,
      headers,
      body: text,
    });
    assert.ok(response.status < 300, `${method} ${path}: ${response.text}`);
    return response.json;
  };
  const tagged = (of: unknown) => Object.entries(Object(Object(of).tags)).sort();
  const expected = tagged({ tags: JSON.parse(tags) });
  const [groupTags, vnetTags] = [group, vnet].map((id) => `${id}/providers/Microsoft.Resources/tags/default`);
  assert.deepEqual(tagged(await call("PUT", group, `{"location":"${location}","tags":${tags}}`)), expected);
  assert.deepEqual(tagged(await call("GET", group)), expected);
  await call("PATCH", `${vnetTags}`, `{"operation":"Merge","properties":{"tags":${tags}}}`);
  assert.deepEqual(tagged(await call("GET", vnet)), expected);
  await call("PATCH", `${groupTags}`, '{"operation":"Delete","properties":{"tags":{"__proto__":""}}}');
  assert.deepEqual(tagged(await call("GET", group)), expected.slice(1));
  const template = `{"$schema":"https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#","contentVersion":"1.0.0.0",
    "parameters":{"tags":{"type":"object","defaultValue":${tags}}},"resources":[{"type":"Microsoft.Network/virtualNetworks",
    "apiVersion":"2024-05-01","name":"v2","location":"${location}","tags":"[parameters('tags')]",
    "properties":{"addressSpace":{"addressPrefixes":["10.1.0.0/16"]}}}]}`;
  const deployment = `${group}/providers/Microsoft.Resources/deployments/d`;
  await call("PUT", deployment, `{"properties":{"mode":"Incremental","template":${template}}}`);
  const deployed = vnet.replace(/v$/, "v2");
  const isMissing = async () => (await azure.raw(`${deployed}?${version}`, { headers })).status === 404;
  while (await isMissing()) signal.throwIfAborted();
  assert.deepEqual(tagged(await call("GET", deployed)), expected);
});

test("an invalid host is not returned in links", async () => {
  await using azure = await startTestAzure();
  const response = await azure.raw(`/metadata/endpoints?api-version=2022-09-01`, {
    headers: { host: 'a"b' },
  });
  assert.equal(response.status, 400);
});

test("a connection without HTTP receives a response and is closed", async () => {
  await using azure = await startTestAzure();
  const socket = connect({ host: "127.0.0.1", port: azure.port, ca: azure.caPem });
  socket.end("nonsense\r\n\r\n");
  const text = (await Array.fromAsync(socket)).join("");
  assert.match(text, /^HTTP\/1\.1 400 /);
});

test("a client that disconnects during its request is not an internal error", async () => {
  const lines: string[] = [];
  const logger = createLogger({ level: "info", destination: { write: (line) => lines.push(line) } });
  await using azure = await startTestAzure({ logger });
  const socket = connect({ host: "127.0.0.1", port: azure.port, ca: azure.caPem });
  socket.on("error", () => undefined);
  socket.write(
    `PUT ${group} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
  );
  await once(socket, "secureConnect");
  await new Promise((resolve) => setTimeout(resolve, 200));
  socket.destroy();
  // Waits until the socket of the client is closed.
  await once(socket, "close");
  assert.equal((await azure.raw(`/subscriptions?${version}`)).status, 401);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.deepEqual(lines, []);
});

test("idle connections of clients stay open for as long as every listener keeps them", async () => {
  await using azure = await startTestAzure();
  await assertKeepAlive(azure.url);
});
