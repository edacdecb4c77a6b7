import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  adminToken,
  clientId,
  clientSecret,
  location,
  startTestAzure,
  subscriptionId,
  type TestAzure,
  tenantId,
} from "../testing/test-azure.ts";
import type { LoggedRequest } from "./request-log.ts";

const group = `/subscriptions/${subscriptionId}/resourceGroups/logged`;
const version = "?api-version=2024-03-01";

describe("the request log", () => {
  let azure: TestAzure;
  before(async () => {
    azure = await startTestAzure({ logRequests: true, unloggedReader: "viewer" });
  });
  after(() => azure?.[Symbol.asyncDispose]());

  /** Returns the newest logged request that matches. */
  async function newest(matches: (request: LoggedRequest) => boolean): Promise<LoggedRequest | undefined> {
    // Polls the log, because a request may be logged shortly after the client receives the response.
    for (let look = 0; look < 200; look++) {
      const all = azure.requests?.since(0).toReversed() ?? [];
      const found = all
        .map(({ sequence }) => azure.requests?.find(sequence))
        .find((each) => each && matches(each));
      if (found) return found;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return undefined;
  }

  test("has method, path, status, caller and bodies of a request", async () => {
    await azure.arm("PUT", `${group}${version}`, { location, tags: { team: "a", password: "hunter2" } });
    const found = await newest(({ method, path }) => method === "PUT" && path.startsWith(group));
    assert.partialDeepStrictEqual(found, {
      path: `${group}${version}`,
      service: "arm",
      status: 201,
      caller: clientId,
      requestHeaders: { authorization: "Bearer [REDACTED]", "content-type": "application/json" },
      requestBody: { text: `{"location":"${location}","tags":{"team":"a","password":"[REDACTED]"}}` },
      responseHeaders: { "content-type": "application/json; charset=utf-8" },
    });
    assert.match(found?.responseBody?.text ?? "", /"password":"\[REDACTED\]"/);
  });

  test("has errors and requests without a valid token", async () => {
    await azure.raw(`${group}${version}`, { headers: { authorization: "Bearer nonsense" } });
    const found = await newest(({ status }) => status === 401);
    assert.match(found?.responseBody?.text ?? "", /InvalidAuthenticationToken|AuthenticationFailed/);
  });

  test("has sign-ins without secrets and tokens", async () => {
    const form = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: clientSecret.reveal(),
      scope: "https://management.azure.com/.default",
    });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const { text } = await azure.raw(`/${tenantId}/oauth2/v2.0/token`, {
      method: "POST",
      headers,
      body: form.toString(),
    });
    const token: string = JSON.parse(text).access_token;
    const found = await newest(({ method, path }) => method === "POST" && path.endsWith("/token"));
    assert.partialDeepStrictEqual(found, { service: "entra", status: 200, caller: clientId });
    assert.match(found?.requestBody?.text ?? "", /^client_secret=\[REDACTED\]$/m);
    const everything = JSON.stringify(
      azure.requests?.since(0).map(({ sequence }) => azure.requests?.find(sequence)),
    );
    for (const each of [token, clientSecret.reveal(), token.split(".")[2] ?? ""])
      assert.ok(!everything.includes(each));
  });

  test("has a connection that a fault closes as one without a status", async () => {
    azure.change({ faults: { gone: { kind: "dropped", when: "before" } } });
    await assert.rejects(azure.arm("GET", `${group}${version}`));
    azure.change({ faults: null });
    const found = await newest(({ method, status }) => method === "GET" && status === undefined);
    assert.equal(found?.path, `${group}${version}`);
  });

  test("has changes of the client that shows the log, and not its reads", async () => {
    const headers = { authorization: "Bearer nonsense", "user-agent": "viewer" };
    const path = `/subscriptions/${subscriptionId}/resourceGroups/viewed${version}`;
    assert.equal((await azure.raw(path, { headers })).status, 401);
    assert.equal((await azure.raw(path, { method: "DELETE", headers })).status, 401);
    assert.ok(await newest(({ method, client }) => method === "DELETE" && client === "viewer"));
    const reads = azure.requests
      ?.since(0)
      .filter(({ method, client }) => method === "GET" && client === "viewer");
    assert.deepEqual(reads, []);
  });

  test("has no requests to the simulation's own administration", async () => {
    const headers = { authorization: `Bearer ${adminToken.reveal()}` };
    assert.equal((await azure.raw("/sim/clock", { headers })).status, 200);
    await azure.arm("GET", `${group}${version}`);
    assert.ok(await newest(({ method, status }) => method === "GET" && status === 200));
    assert.ok(azure.requests?.since(0).every(({ path }) => !path.startsWith("/sim")));
  });

  test("exists only if it is asked for", async () => {
    await using other = await startTestAzure();
    assert.equal(other.requests, undefined);
  });
});

test("a log without an unlogged reader has requests that send no User-Agent", async () => {
  await using azure = await startTestAzure({ logRequests: true });
  const { status } = await azure.raw(`${group}${version}`);
  assert.equal(status, 401);
  for (let look = 0; look < 200 && azure.requests?.since(0).length === 0; look++)
    await new Promise((resolve) => setImmediate(resolve));
  assert.equal(azure.requests?.since(0).length, 1);
});
