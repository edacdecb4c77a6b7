import assert from "node:assert/strict";
import { Agent, request } from "node:https";
import { after, before, describe, test } from "node:test";
import { location, startTestAzure, subscriptionId, type TestAzure } from "../testing/test-azure.ts";

const signal = AbortSignal.timeout(900_000);
const group = `/subscriptions/${subscriptionId}/resourceGroups/g`;
const json = { "content-type": "application/json" };
const blob = { "x-ms-version": "2021-08-06", "x-ms-blob-type": "BlockBlob" };

let azure: TestAzure;
let token: string;
before(async () => {
  azure = await startTestAzure();
  await azure.clients.resources.resourceGroups.createOrUpdate("g", { location }, azure.clients.call(signal));
  token = await azure.clients.getToken(signal);
  const account = `${group}/providers/Microsoft.Storage/storageAccounts/bodies?api-version=2023-05-01`;
  const kind = { kind: "StorageV2", sku: { name: "Standard_LRS" }, location };
  assert.ok((await azure.arm("PUT", account, kind)).status < 300);
});
after(() => azure[Symbol.asyncDispose]());

interface Upload {
  readonly status: number | undefined;
  readonly sent: number;
}

/** Uploads data until the server responds. */
function upload(method: string, path: string, headers: Record<string, string>): Promise<Upload> {
  return new Promise((resolve, reject) => {
    let sent = 0;
    const outgoing = request(
      {
        host: "127.0.0.1",
        port: azure.port,
        servername: "localhost",
        ca: azure.caPem,
        path,
        method,
        headers,
        agent: false,
      },
      (response) => {
        resolve({ status: response.statusCode, sent });
        outgoing.destroy();
      },
    );
    outgoing.on("error", reject);
    const chunk = Buffer.alloc(64 * 1024, "x");
    const more = () => {
      do sent += chunk.length;
      while (outgoing.write(chunk));
      outgoing.once("drain", more);
    };
    more();
  });
}

describe("bodies without end", () => {
  const rows: readonly (readonly [
    name: string,
    method: string,
    path: string,
    headers: Record<string, string>,
    status: number,
  ])[] = [
    ["ARM", "PUT", `${group}?api-version=2021-04-01`, json, 401],
    ["Graph", "POST", "/v1.0/applications", json, 401],
    ["a vault", "PUT", "/vaults/thevault/secrets/x?api-version=7.4", json, 401],
    ["the data plane of identities", "POST", "/identity/credentials", json, 401],
    ["checkAccess", "POST", "/providers/Microsoft.Authorization/checkAccess", json, 401],
    ["the settings", "PATCH", "/sim/settings", json, 401],
    ["blobs", "PUT", "/bodies/container/blob", blob, 401],
    ["an unknown path", "POST", "/favicon.ico", json, 404],
    ["a website", "PUT", "/web/bodies/x", json, 405],
    [
      "a sign-in",
      "POST",
      "/tenant/oauth2/v2.0/token",
      { "content-type": "application/x-www-form-urlencoded" },
      413,
    ],
  ];
  for (const [name, method, path, headers, status] of rows) {
    test(`${name} responds before the body is read`, async () => {
      const response = await upload(method, path, headers);
      assert.equal(response.status, status);
      assert.ok(response.sent < 16 * 1024 * 1024, `${response.sent} bytes were taken`);
    });
  }

  test("bodies of authenticated callers are limited by the called service", async () => {
    const headers = { ...json, authorization: `Bearer ${token}` };
    const response = await upload("PUT", `${group}?api-version=2021-04-01`, headers);
    assert.equal(response.status, 413);
    assert.ok(response.sent < 16 * 1024 * 1024, `${response.sent} bytes were taken`);
  });

  test("a connection with a small unread body serves the next request", async (t) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    t.after(() => agent.destroy());
    const ask = () =>
      new Promise<readonly [status: number | undefined, isSameConnection: boolean]>((resolve, reject) => {
        const path = `${group}?api-version=2021-04-01`;
        const to = { host: "127.0.0.1", port: azure.port, servername: "localhost", ca: azure.caPem };
        const outgoing = request({ ...to, path, method: "PUT", headers: json, agent }, (response) => {
          response.resume().on("end", () => resolve([response.statusCode, outgoing.reusedSocket]));
        });
        outgoing.on("error", reject);
        outgoing.end("{}");
      });
    assert.deepEqual(await ask(), [401, false]);
    assert.deepEqual(await ask(), [401, true]);
  });
});
