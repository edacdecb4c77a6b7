import assert from "node:assert/strict";
import { randomUUID, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { issueCertificate, type KeyPair, systemClock } from "@keelson/base";
import { assertKeepAlive } from "@keelson/http/testing";
import { captureLog } from "../../testing/captured-log.ts";
import { clusterAddress, clusterBody } from "../../testing/cluster-request.ts";
import { startTestFrontend, type TestFrontend } from "../../testing/test-frontend.ts";
import { bodyLimitBytes } from "./request-body.ts";
import { createWebServer } from "./web-server.ts";

const log = captureLog();
let frontend: TestFrontend;
before(async () => {
  frontend = await startTestFrontend({ logger: log.logger });
});
after(() => frontend[Symbol.asyncDispose]());

const operations = "/providers/Microsoft.RedHatOpenShift/operations";

describe("protocols", () => {
  const tlsOptions = () => ({
    host: "127.0.0.1",
    port: Number(new URL(frontend.url).port),
    servername: "localhost",
    ca: frontend.authority.certificatePem,
  });

  test("HTTP/2 and HTTP/1.1 are offered, HTTP/2 by preference", async () => {
    for (const [offer, chosen] of [
      [["http/1.1", "h2"], "h2"],
      [["http/1.1"], "http/1.1"],
    ] as const) {
      const socket = connectTls({ ...tlsOptions(), ALPNProtocols: [...offer] });
      await new Promise((resolve, reject) => socket.once("secureConnect", resolve).once("error", reject));
      assert.equal(socket.alpnProtocol, chosen);
      socket.destroy();
    }
  });

  test("a renewed certificate is served to new connections", async () => {
    const issue = () =>
      issueCertificate(undefined, { commonName: "localhost", usage: "server", validDays: 1 });
    const [first, second] = [await issue(), await issue()];
    const { app, listener } = createWebServer({ tls: first, limits: { clock: systemClock } });
    await app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = listener;
    const served = async () => {
      const socket = connectTls({ host: "127.0.0.1", port, rejectUnauthorized: false });
      await new Promise((resolve, reject) => socket.once("secureConnect", resolve).once("error", reject));
      const fingerprint = socket.getPeerX509Certificate()?.fingerprint256;
      socket.destroy();
      return fingerprint;
    };
    const fingerprintOf = ({ certificatePem }: KeyPair) => new X509Certificate(certificatePem).fingerprint256;
    assert.equal(await served(), fingerprintOf(first));
    listener.useCertificate(second);
    assert.equal(await served(), fingerprintOf(second));
    await app.close();
  });

  test("TLS before 1.2 is refused", async () => {
    const socket = connectTls({
      ...tlsOptions(),
      maxVersion: "TLSv1.1",
      minVersion: "TLSv1.1",
      ciphers: "ALL:@SECLEVEL=0",
    });
    await assert.rejects(
      new Promise((resolve, reject) => socket.once("secureConnect", resolve).once("error", reject)),
      { code: "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION" },
    );
    socket.destroy();
  });

  test("HTTP/2 serves bodies of any size and returns polling URLs", async () => {
    const address = clusterAddress(randomUUID());
    await frontend.client.put(`/subscriptions/${address.subscriptionId}`, { state: "Registered" });
    const session = openSession();
    try {
      const large = await put(session, address.url, " ".repeat(bodyLimitBytes + 1));
      assert.equal(large[":status"], 400);
      assert.match(`${large.text}`, /InvalidResource/);
      const created = await put(session, address.url, JSON.stringify(clusterBody(address)));
      assert.equal(created[":status"], 201, `${created.text}`);
      assert.equal(
        new URL(`${created["azure-asyncoperation"]}`).host,
        `localhost:${new URL(frontend.url).port}`,
      );
      assert.deepEqual(
        (await log.auditsOf(address.id, 2)).map((line) => [line.status, line.result]),
        [
          [400, "UserError"],
          [201, "Success"],
        ],
      );
    } finally {
      session.destroy();
    }
  });

  test("an unknown HTTP/2 method is a bare 405 for every path", async () => {
    const session = openSession();
    try {
      for (const path of [operations, "/unknown"]) {
        const stream = session.request({ ":method": "NONSENSE", ":path": path });
        const [headers] = await once(stream, "response");
        assert.equal(headers[":status"], 405);
        assert.equal((await stream.setEncoding("utf8").toArray()).join(""), "");
      }
    } finally {
      session.destroy();
    }
  });

  test("an endless HTTP/2 body is cut off, and the service continues", async () => {
    const session = openSession();
    try {
      const { id, url } = clusterAddress(randomUUID(), "endless");
      const stream = session.request({ ":method": "PUT", ":path": url, "content-type": "application/json" });
      let status: unknown;
      stream.on("response", (headers) => {
        status = headers[":status"];
      });
      stream.on("error", () => undefined).resume();
      while (status === undefined) {
        stream.write(" ".repeat(65_536));
        await delay(0);
      }
      assert.equal(status, 413);
      // The audit line shows that the service ended the request without waiting for the end of its body.
      const [line] = await log.auditsOf(id, 1);
      assert.deepEqual([line?.status, line?.code], [413, "InvalidResource"]);
      assert.equal((await frontend.client.get(operations)).status, 200);
    } finally {
      session.destroy();
    }
  });

  function openSession(): ClientHttp2Session {
    const { port } = new URL(frontend.url);
    return connectHttp2(`https://localhost:${port}`, { ca: frontend.authority.certificatePem });
  }

  function put(session: ClientHttp2Session, path: string, body: string): Promise<Record<string, unknown>> {
    const stream = session.request({ ":method": "PUT", ":path": path, "content-type": "application/json" });
    const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>();
    let text = "";
    stream.on("response", (headers) => stream.on("end", () => resolve({ ...headers, text })));
    stream.on("data", (chunk) => {
      text += chunk;
    });
    stream.on("error", reject);
    stream.end(body);
    return promise;
  }
});

test("idle connections of clients stay open for as long as every listener keeps them", async () => {
  await assertKeepAlive(`${frontend.url}${operations}`);
});
