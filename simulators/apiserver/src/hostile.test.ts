import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { connect } from "node:tls";
import { scalarStringAt } from "@keelson/apimachinery";
import { type Call, TestServer } from "./testing/test-server.ts";

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server[Symbol.asyncDispose]());

const path = "/api/v1/namespaces/default/configmaps";
const yaml = { "content-type": "application/yaml" };
const bomb = [
  "a0: &a0 [x,x,x,x,x,x,x,x,x]",
  ...Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]`),
].join("\n");

for (const [what, code, method, target, call] of [
  ["a body over the limit", 413, "POST", path, { body: `"${"x".repeat(3 * 1024 * 1024)}"` }],
  ["too deeply nested JSON", 400, "POST", path, { body: `${"[".repeat(10_000)}${"]".repeat(10_000)}` }],
  ["too deeply nested YAML", 400, "POST", path, { body: "[".repeat(100_000), headers: yaml }],
  ["YAML with exponential aliases", 400, "POST", path, { body: bomb, headers: yaml }],
  ["YAML with a syntax error", 400, "POST", path, { body: "a: [", headers: yaml }],
  ["a path that is not UTF-8", 400, "GET", "/api/v1/%ff", {}],
  ["metadata of the wrong type", 400, "POST", path, { body: { metadata: { name: 7 } } }],
  ["labels of the wrong type", 400, "POST", path, { body: { metadata: { name: "x", labels: { a: 1 } } } }],
  ["a bad name", 422, "POST", path, { body: { metadata: { name: "../x" } } }],
  [
    "annotations too large",
    422,
    "POST",
    path,
    { body: { metadata: { name: "x", annotations: { a: "x".repeat(262_145) } } } },
  ],
  ["a malformed label selector", 400, "GET", `${path}?labelSelector=${"a,".repeat(10_000)}`, {}],
  ["headers too large", 431, "GET", path, { headers: { "x-large": "x".repeat(100_000) } }],
  ["an invalid continue token", 400, "GET", `${path}?continue=AAAA`, {}],
] satisfies readonly (readonly [string, number, string, string, Call])[]) {
  test(`${what} fails with ${code} and a Status`, async () => {
    const response = await server.call(method, target, call);
    assert.equal(response.status, code);
    assert.equal(scalarStringAt(response.body, "kind"), "Status");
    assert.equal((await server.call("GET", "/healthz")).status, 200);
  });
}

function raw(text: string): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port: server.server.port, rejectUnauthorized: false }, () =>
    socket.write(text),
  );
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let response = "";
  socket.on("data", (chunk) => {
    response += String(chunk);
  });
  socket.on("close", () => resolve(response)).on("error", reject);
  return promise;
}

test("input that is not HTTP fails with 400, and the connection closes", async () => {
  assert.match(await raw("nonsense\r\n\r\n"), /^HTTP\/1.1 400 Bad Request\r\n/);
});

test("a client disconnect during the body has no effect", async () => {
  const { certificatePem: cert, privateKeyPem: key } = server.admin;
  const socket = connect({
    host: "127.0.0.1",
    port: server.server.port,
    rejectUnauthorized: false,
    cert,
    key,
  });
  await once(socket, "secureConnect");
  socket.write(`POST /clusters/demo${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"metadata"`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  socket.destroy();
  assert.equal((await server.call("GET", path)).status, 200);
});

test("paths outside the clusters only serve health", async () => {
  assert.match(
    await raw("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
    /^HTTP\/1.1 200 OK\r\n[\s\S]*\r\n\r\nok$/,
  );
  for (const target of [
    "/",
    "/clusters",
    "/clusters/none/api",
    "/api/v1/namespaces",
    "/clusters/demo/../none",
    "*",
  ]) {
    assert.match(
      await raw(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
      /^HTTP\/1.1 40[0134] /,
      target,
    );
  }
});
