import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { freePort } from "@keelson/base/testing";
import { resources } from "@keelson/kube";
import { condition, type TestCluster, testServers } from "../../testing/index.ts";
import { httpAttempt } from "./attempt.ts";
import { internetChecker } from "./controller.ts";
import { maxAttempts, Reachability } from "./reachability.ts";

test("a URL is unreachable after six failures and reachable after the first response", () => {
  const round = new Reachability("", ["https://b", "https://a", "https://c"]);
  round.record("https://c", undefined);
  for (let count = 1; count <= maxAttempts; count++) {
    assert.deepEqual(round.open, ["https://b", "https://a"]);
    round.record("https://b", `attempt ${count}`);
    round.record("https://a", "refused");
  }
  assert.deepEqual(round.open, []);
  assert.deepEqual(round.failures, ["https://a: refused", "https://b: attempt 6"]);
});

const responses = createServer((request, response) => {
  response.statusCode = request.url === "/broken" ? 500 : request.url === "/moved" ? 302 : 200;
  if (request.url === "/moved") response.setHeader("location", "/broken");
  response.end();
});
let url: string;
before(async () => {
  await new Promise<void>((listening) => responses.listen(0, "127.0.0.1", listening));
  url = `http://127.0.0.1:${(responses.address() as AddressInfo).port}`;
});
after(() => void responses.close());

test("any response makes a URL reachable, including errors and redirects", async () => {
  for (const path of ["", "/broken", "/moved"])
    assert.equal(await httpAttempt(undefined)(url + path, {}, AbortSignal.timeout(900_000)), undefined);
});

test("a failure names its cause: name, connection, TLS, time, URL, certificates", async () => {
  const attempt = httpAttempt(undefined);
  const reason = (of: string, signal = AbortSignal.timeout(900_000)) => attempt(of, {}, signal);
  assert.match((await reason("https://nowhere.invalid/")) ?? "", /^name resolution failed: /);
  assert.match((await reason(`http://127.0.0.1:${await freePort()}`)) ?? "", /ECONNREFUSED/);
  assert.match((await reason(url.replace("http:", "https:"))) ?? "", /^TLS failed: /);
  const isOver = AbortSignal.abort(new DOMException("the time is over", "TimeoutError"));
  assert.equal(await reason(url, isOver), "timed out");
  assert.match((await reason("not a URL")) ?? "", /Invalid URL/);
  assert.match(
    (await httpAttempt("/absent.pem")(url, {}, AbortSignal.timeout(900_000))) ?? "",
    /absent\.pem/,
  );
});

test("the cluster's proxy is used except for its exclusions", async () => {
  const proxy = { httpProxy: `http://127.0.0.1:${await freePort()}` };
  const attempt = httpAttempt(undefined);
  assert.match((await attempt(url, proxy, AbortSignal.timeout(900_000))) ?? "", /ECONNREFUSED|Proxy/);
  assert.equal(
    await attempt(url, { ...proxy, noProxy: "127.0.0.1" }, AbortSignal.timeout(900_000)),
    undefined,
  );
});

for (const { name, start } of testServers) {
  describe(`the internet checker on ${name}`, () => {
    let cluster: TestCluster;
    before(async () => {
      cluster = await start({ kinds: [resources.proxies], spec: { internetChecker: { urls: [url] } } });
      await cluster.start({ controllers: [internetChecker] });
      await cluster.start({ controllers: [internetChecker], role: "worker" });
    });
    after(() => cluster[Symbol.asyncDispose]());
    const types = ["InternetReachableFromMaster", "InternetReachableFromWorker"];
    const both = async (check: (of: Awaited<ReturnType<typeof condition>>) => void) => {
      for (const type of types) await cluster.eventually(async () => check(await condition(cluster, type)));
    };

    test("acceptance 2: an unreachable URL makes both conditions False, its restoration True", async () => {
      const good = { status: "True", reason: "CheckDone", message: "Outgoing connection successful" };
      await both((found) => assert.deepEqual(found, good));
      const refused = `http://127.0.0.1:${await freePort()}/`;
      await cluster.configure({ internetChecker: { urls: [url, refused] } });
      await both(({ status, reason, message }) => {
        assert.deepEqual([status, reason], ["False", "CheckFailed"]);
        assert.ok(message.startsWith(`${refused}: `), message);
      });
      await cluster.configure({ internetChecker: { urls: [url] } });
      await both((found) => assert.deepEqual(found, good));
    });

    test("acceptance 3: disabled checks set the conditions to Unknown without a reason", async () => {
      await cluster.configure({ operatorflags: { "aro.checker.enabled": "false" } });
      await both((found) => assert.deepEqual(found, { status: "Unknown", reason: "", message: "" }));
    });

    test("a new list of URLs does not wait for hanging attempts", async () => {
      const hanging = createServer(() => undefined);
      await new Promise<void>((listening) => hanging.listen(0, "127.0.0.1", listening));
      const { port } = hanging.address() as AddressInfo;
      await cluster.configure({
        internetChecker: { urls: [`http://127.0.0.1:${port}/`] },
        operatorflags: { "aro.checker.enabled": "true" },
      });
      await new Promise((connected) => hanging.once("connection", connected));
      const began = performance.now();
      await cluster.configure({ internetChecker: { urls: [url] } });
      await both(({ status }) => assert.equal(status, "True"));
      assert.ok(performance.now() - began < 9_000, "it waited for the attempt to end");
      hanging.closeAllConnections();
      hanging.close();
    });
  });
}
