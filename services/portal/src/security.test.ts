/**
 * Tests attacks on the portal's port by strangers, by other sites, and by people without an elevation. sign-in/sign-in.test.ts
 * tests attacks on sign-ins.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, describe, test } from "node:test";
import { connect as connectTls } from "node:tls";
import { createCertificateAuthority, issueCertificate, systemClock } from "@keelson/base";
import { createKubeconfig } from "@keelson/kube";
import { sessionIdOf } from "@keelson/portal-sessions";
import { openSessionOn } from "./testing/open-session-on.ts";
import { bothKubeconfigs, storeCluster } from "./testing/store-cluster.ts";
import { type Person, startTestPortal, type TestPortal } from "./testing/test-portal.ts";

const signal = AbortSignal.timeout(900_000);
let at: TestPortal;
let url: string;
/** API server that accepts every request and records it. */
let upstream: Server;
let asked: IncomingMessage[] = [];
let id: string;
let reader: Person;

before(async () => {
  const authority = await createCertificateAuthority("upstream", 1);
  const names = { commonName: "localhost", dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] };
  const pair = await issueCertificate(authority, { ...names, usage: "server", validDays: 1 });
  upstream = createServer({ cert: pair.certificatePem, key: pair.privateKeyPem }, (request, response) => {
    asked.push(request);
    request.resume();
    if (request.url === "/hang") return;
    response.setHeader("content-type", "application/json").end("{}");
  });
  await once(upstream.listen(0, "127.0.0.1"), "listening");
  at = await startTestPortal();
  url = at.portal.url;
  const kubeconfig = createKubeconfig({
    server: `https://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
    caPem: authority.certificatePem,
    token: "of-the-service",
    clusterName: "c",
    userName: "u",
  });
  id = await putCluster(kubeconfig);
  reader = await at.signedIn("reader");
});
beforeEach(() => {
  asked = [];
});
after(async () => {
  await at?.[Symbol.asyncDispose]();
  upstream?.closeAllConnections();
  upstream?.close();
});

const putCluster = (kubeconfig: string) => storeCluster(at.database, bothKubeconfigs(kubeconfig));

const newToken = (elevated: boolean, ttlSeconds = 600) =>
  openSessionOn(at.database, id, {
    portal: { username: "ada@example.com", kubeconfig: { elevated } },
    ttlSeconds,
  });

const proxied = async (path: string, headers: Record<string, string>) =>
  at.newBrowser().send(url, `${id}/kubeconfig/proxy${path}`, { headers });

/** Sends raw bytes over a separate connection and returns the complete response. */
async function raw(text: string): Promise<string> {
  const { port } = new URL(url);
  const socket = connectTls({ port: Number(port), host: "127.0.0.1", servername: "localhost", ca: at.caPem });
  socket.on("error", () => undefined);
  socket.write(text);
  socket.setTimeout(1_000, () => socket.end());
  return Buffer.concat(await socket.toArray()).toString();
}

describe("other sites", () => {
  test("a sign-in never redirects to a different site", async () => {
    for (const target of [
      "https://evil.example/",
      "//evil.example/",
      "/\\evil.example/",
      "/\t/evil.example/",
      "/%0d%0aset-cookie:x=y",
      "javascript:alert(1)",
      "/..//evil.example/",
      `/${"a".repeat(4_000)}`,
    ]) {
      const back = await at.newBrowser().signIn(url, "reader@keelson.local", target);
      assert.equal(back.status, 307);
      const to = new URL(`${back.headers.location}`, url);
      assert.equal(to.origin, new URL(url).origin, target);
      assert.doesNotMatch(`${back.headers.location}`, /evil/);
    }
  });

  test("pages and forms of other sites cannot change anything", async () => {
    const { browser, csrf } = reader;
    const post = (headers: Record<string, string>) =>
      browser.send(url, `${id}/kubeconfig/new`, { method: "POST", headers });
    for (const headers of [
      {},
      { "content-type": "application/x-www-form-urlencoded", origin: url },
      { "x-csrf-token": csrf, origin: "https://evil.example" },
      { "x-csrf-token": csrf, origin: url.replace("https:", "http:") },
      { "x-csrf-token": csrf, referer: `https://evil.example/?${url}` },
      { "x-csrf-token": csrf.slice(1) },
    ])
      assert.equal((await post(headers)).status, 403, JSON.stringify(headers));
    assert.equal((await post({ "x-csrf-token": csrf, origin: url })).status, 200);
    const answer = await browser.send(url, "/api/clusters", { headers: { origin: "https://evil.example" } });
    assert.equal(answer.headers["access-control-allow-origin"], undefined);
  });
});

describe("tokens", () => {
  test("an expired one is invalid", async () => {
    const token = await newToken(true, 1);
    const headers = { authorization: `Bearer ${token}` };
    assert.equal((await proxied("/api", headers)).status, 200);
    while ((await proxied("/api", headers)).status !== 403) await systemClock.sleep(50, signal);
    assert.equal((await proxied("/api", headers)).text, "Forbidden\n");
  });

  test("the sign-in's cookie is no token, and a token is no sign-in", async () => {
    const cookie = [...reader.browser.cookies].map((pair) => pair.join("=")).join("; ");
    assert.equal((await proxied("/api", { cookie })).status, 403);
    const authorization = `Bearer ${await newToken(true)}`;
    const { status } = await at.newBrowser().send(url, "/api/clusters", { headers: { authorization } });
    assert.equal(status, 307);
    assert.deepEqual(asked, []);
  });

  test("no spelling of a path reaches a different target, at the proxy and at Prometheus", async () => {
    const headers = { authorization: `Bearer ${await newToken(true)}` };
    for (const path of [
      "/../api",
      "/api/v1/%2e%2e/secrets",
      "/api/v1/%252e%252e/secrets",
      "//api",
      "/api/v1//secrets",
      "/api%2fv1",
      "/api%5cv1",
      "/api/v1/nodes/%zz",
    ])
      assert.equal((await proxied(path, headers)).status, 400, path);
    const other = await putCluster("{}");
    const { status } = await at.newBrowser().send(url, `${other}/kubeconfig/proxy/api`, { headers });
    assert.equal(status, 400);
    for (const path of ["api/v1/../../-/quit", "api/v1/%2e%2e/admin", "api//v1/query", "-/%71uit"]) {
      const answer = await reader.browser.send(url, `${id}/prometheus/${path}`);
      assert.ok([403, 404].includes(answer.status), `${path} ${answer.status}`);
    }
    assert.deepEqual(asked, []);
  });
});

describe("headers", () => {
  test("identity headers are never forwarded, in any spelling", async () => {
    const authorization = `Bearer ${await newToken(true)}`;
    const { status } = await proxied("/api/v1/nodes", {
      authorization,
      cookie: "__Host-portal-session=x",
      "x-remote-user": "system:admin",
      "x-remote-group": "system:masters",
      "x-forwarded-for": "10.0.0.1",
      forwarded: "for=10.0.0.1",
      "x-ms-arm-resource-system-data": "{}",
      connection: "authorization, x-kept",
      "x-kept": "no",
      accept: "application/json",
    });
    assert.equal(status, 200);
    const [request] = asked;
    assert.deepEqual(Object.keys(request?.headers ?? {}).sort(), [
      "accept",
      "accept-encoding",
      "authorization",
      "connection",
      "host",
    ]);
    assert.equal(request?.headers.authorization, "Bearer of-the-service");
  });

  test("impersonation is rejected without elevation, and with it recorded in the audit", async () => {
    const impersonation = { "impersonate-user": "system:admin", "impersonate-group": "system:masters" };
    const as = async (elevated: boolean, headers: Record<string, string>) =>
      proxied("/api/v1/nodes", { ...headers, authorization: `Bearer ${await newToken(elevated)}` });
    for (const headers of [impersonation, { "impersonate-uid": "1" }, { "impersonate-extra-x": "y" }]) {
      const refused = await as(false, headers);
      assert.equal(refused.status, 403);
      const { message } = JSON.parse(refused.text);
      assert.match(message, /User "system:aro-sre" cannot impersonate resource "users"/);
    }
    assert.deepEqual(asked, []);
    assert.equal((await as(true, impersonation)).status, 200);
    const line = at.lines.findLast(({ logKind }) => logKind === "audit");
    assert.deepEqual([line?.impersonates, line?.caller], ["system:admin", "ada@example.com"]);
  });

  test("a request of a client that disconnects before the response is in the audit", async () => {
    const token = await newToken(true);
    const { port } = new URL(url);
    const socket = connectTls({
      port: Number(port),
      host: "127.0.0.1",
      servername: "localhost",
      ca: at.caPem,
    });
    socket.on("error", () => undefined);
    socket.write(
      `POST ${id}/kubeconfig/proxy/hang HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
        "Content-Length: 2\r\n\r\n{}",
    );
    while (!asked.some((each) => each.url === "/hang")) await systemClock.sleep(5, signal);
    socket.destroy();
    const written = () =>
      at.lines.find((line) => line.session === sessionIdOf(token) && line.logKind === "audit");
    while (!written()) await systemClock.sleep(5, signal);
    assert.deepEqual([written()?.status, written()?.result], [499, "Fail"]);
  });

  test("request smuggling is impossible", async () => {
    const token = await newToken(false);
    const target = `${id}/kubeconfig/proxy/api/v1/nodes`;
    const hidden = `DELETE ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const head = (...lines: readonly string[]) =>
      [`GET ${target} HTTP/1.1`, "Host: localhost", `Authorization: Bearer ${token}`, ...lines, "", ""].join(
        "\r\n",
      );
    for (const lines of [
      [`Content-Length: ${hidden.length}`, "Transfer-Encoding: chunked"],
      ["Transfer-Encoding: xchunked", "Content-Length: 5"],
      ["Transfer-Encoding: chunked, identity"],
      ["Content-Length: 5", "Content-Length: 6"],
      ["Content-Length: +5"],
      ["X-Folded: a", " Transfer-Encoding: chunked"],
      ["X-Null: a\u0000b"],
      ["Content-Length : 5"],
    ])
      assert.match(await raw(`${head(...lines)}0\r\n\r\n${hidden}`), /^HTTP\/1\.1 400 /, lines.join(", "));
    assert.ok(asked.every(({ method }) => method === "GET"));
    const ended = await raw(`GET /api/info HTTP/1.1\r\nHost: localhost\r\nCookie: a=b\nX: y\r\n\r\n`);
    assert.match(ended, /^HTTP\/1\.1 (307|400) /);
  });

  test("oversized cookies and headers are rejected, and the portal continues", async () => {
    for (const headers of [
      { cookie: `__Host-portal-session=${"a".repeat(15_000)}` },
      { cookie: Array.from({ length: 3_000 }, (_, index) => `c${index}=x`).join("; ") },
      { "x-large": "a".repeat(40_000) },
    ]) {
      const { status } = await at.newBrowser().send(url, "/api/info", { headers });
      assert.ok([307, 431].includes(status), `${status}`);
    }
    const long = await at.newBrowser().send(url, `/api/${"a".repeat(12_000)}`);
    assert.ok([404, 431].includes(long.status), `${long.status}`);
    assert.equal((await reader.browser.send(url, "/api/info")).status, 200);
  });
});
