import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:https";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { test } from "node:test";
import { issueCertificate, silentLogger } from "@keelson/base";
import { assertKeepAlive } from "@keelson/http/testing";
import { serveInsecureReadyz } from "./insecure-readyz.ts";

test("readiness of a server with an unverifiable certificate is served over plain HTTP", async () => {
  const { certificatePem, privateKeyPem } = await issueCertificate(undefined, {
    commonName: "other.example",
    usage: "server",
    validDays: 1,
  });
  let status = 200;
  const upstream = createServer({ cert: certificatePem, key: privateKeyPem }, ({ url }, outgoing) => {
    outgoing.writeHead(status, { "content-type": "text/x-test" }).end(`asked for ${url}`);
  });
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const address = upstream.address();
  assert.ok(typeof address === "object" && address);
  await using proxy = await serveInsecureReadyz({
    host: "127.0.0.1",
    port: 0,
    delegateUrl: `https://127.0.0.1:${address.port}/readyz`,
    logger: silentLogger,
  });
  const get = (path: string) => fetch(`http://127.0.0.1:${proxy.port}${path}`);
  const ready = await get("/readyz?verbose");
  assert.equal(ready.status, 200);
  assert.equal(ready.headers.get("content-type"), "text/x-test");
  assert.equal(await ready.text(), "asked for /readyz");
  status = 500;
  assert.equal((await get("/readyz")).status, 500);
  assert.equal((await get("/healthz")).status, 404);
  upstream.closeAllConnections();
  upstream.close();
  await once(upstream, "close");
  const gone = await get("/readyz");
  assert.equal(gone.status, 500);
  assert.equal(await gone.text(), "couldn't contact kube-apiserver\n");
});

test("idle connections of clients stay open for as long as every listener keeps them", async () => {
  const listen = { host: "127.0.0.1", port: 0 };
  await using proxy = await serveInsecureReadyz({
    ...listen,
    delegateUrl: "https://127.0.0.1:1/readyz",
    logger: silentLogger,
  });
  await assertKeepAlive(`http://127.0.0.1:${proxy.port}/`);
});

test("a response that the API server resets is reported as an unreachable API server", async () => {
  const { certificatePem: cert, privateKeyPem: key } = await issueCertificate(undefined, {
    commonName: "test",
    usage: "server",
    validDays: 1,
  });
  const raw: Duplex[] = [];
  const upstream = createServer({ cert, key }, (_, outgoing) => {
    outgoing.writeHead(200, { "content-length": 10 }).write("ok", () => {
      if (raw[0] instanceof Socket) raw[0].resetAndDestroy();
    });
  }).on("connection", (socket) => raw.push(socket));
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const { port } = Object(upstream.address());
  await using proxy = await serveInsecureReadyz({
    host: "127.0.0.1",
    port: 0,
    delegateUrl: `https://127.0.0.1:${port}/readyz`,
    logger: silentLogger,
  });
  const response = await fetch(`http://127.0.0.1:${proxy.port}/readyz`);
  assert.deepEqual([response.status, await response.text()], [500, "couldn't contact kube-apiserver\n"]);
  upstream.close();
});
