import assert from "node:assert/strict";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { after, before, test } from "node:test";
import { TestServer } from "../testing/test-server.ts";
import { respondWhileLoading } from "./health-handler.ts";

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server[Symbol.asyncDispose]());

test("health is reported as one word, per check, or as a verbose list", async () => {
  for (const path of ["/livez", "/readyz", "/healthz", "/readyz/etcd", "/livez/ping"]) {
    const answer = await server.call("GET", path);
    assert.deepEqual([answer.status, answer.text], [200, "ok"], path);
  }
  const verbose = await server.call("GET", "/readyz?verbose&exclude=etcd&exclude=other");
  assert.equal(
    verbose.text,
    "[+]ping ok\n[+]log ok\n[+]etcd excluded: ok\n[+]etcd-readiness ok\n[+]informer-sync ok\n[+]shutdown ok\n" +
      'warn: some health checks cannot be excluded: no matches for "other"\nreadyz check passed\n',
  );
  assert.equal((await server.call("GET", "/readyz/nothing")).status, 404);
  assert.equal((await server.call("POST", "/readyz")).status, 405);
});

test("a failing check fails the endpoint, but no other checks", async () => {
  server.cluster.setFaults({ forRequest: () => undefined, failedChecks: new Set(["etcd"]) });
  const statusOf = async (path: string) => (await server.call("GET", path)).status;
  const paths = ["/healthz", "/healthz/etcd", "/healthz/ping", "/healthz?exclude=etcd"];
  assert.deepEqual(await Promise.all(paths.map(statusOf)), [500, 500, 200, 200]);
  server.cluster.setFaults(undefined);
  assert.equal(await statusOf("/healthz"), 200);
});

test("a server that loads its storage is live but not ready", () => {
  const ask = (path: string) => {
    const incoming = new IncomingMessage(new Socket());
    incoming.method = "GET";
    incoming.url = `/clusters/demo${path}`;
    const response = new ServerResponse(incoming);
    const chunks: string[] = [];
    response.end = (chunk: unknown) => {
      chunks.push(String(chunk));
      return response;
    };
    const answered = respondWhileLoading(incoming, response);
    return { answered, status: response.statusCode, text: chunks.join("") };
  };
  assert.deepEqual(ask("/livez"), { answered: true, status: 200, text: "ok" });
  const ready = ask("/readyz");
  assert.equal(ready.status, 500);
  assert.match(
    ready.text,
    /\[\+\]ping ok\n.*\[-\]etcd-readiness failed: reason withheld\n.*readyz check failed\n$/s,
  );
  assert.equal(ask("/readyz/ping").status, 200);
  assert.equal(ask("/readyz?exclude=etcd-readiness&exclude=informer-sync").status, 200);
  assert.equal(ask("/api").answered, false);
});
