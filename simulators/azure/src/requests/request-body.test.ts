import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { Agent, request } from "node:https";
import { Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import { location, startTestAzure, subscriptionId, type TestAzure } from "../testing/test-azure.ts";

const signal = AbortSignal.timeout(900_000);
const group = `/subscriptions/${subscriptionId}/resourceGroups/g`;
const json = { "content-type": "application/json" };
const blob = { "x-ms-version": "2021-08-06", "x-ms-blob-type": "BlockBlob" };

let azure: TestAzure;
let token: string;
/** Connections that this process accepted, by the client's port. */
const accepted = new Map<number | undefined, Socket>();
const onAccept = (message: unknown) => {
  const socket = typeof message === "object" && message !== null && "socket" in message && message.socket;
  if (socket instanceof Socket) accepted.set(socket.remotePort, socket);
};
before(async () => {
  subscribe("net.server.socket", onAccept);
  azure = await startTestAzure();
  await azure.clients.resources.resourceGroups.createOrUpdate("g", { location }, azure.clients.call(signal));
  token = await azure.clients.getToken(signal);
  const account = `${group}/providers/Microsoft.Storage/storageAccounts/bodies?api-version=2023-05-01`;
  const kind = { kind: "StorageV2", sku: { name: "Standard_LRS" }, location };
  assert.ok((await azure.arm("PUT", account, kind)).status < 300);
});
after(async () => {
  unsubscribe("net.server.socket", onAccept);
  await azure[Symbol.asyncDispose]();
});

interface Upload {
  readonly status: number | undefined;
  /** Bytes that the server read until it closed the connection. Excludes bytes in the buffers of client and kernel. */
  readonly received: number;
}

/** Uploads data until the server responds and closes the connection. */
function upload(method: string, path: string, headers: Record<string, string>): Promise<Upload> {
  return new Promise((resolve, reject) => {
    let isAnswered = false;
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
      async (response) => {
        isAnswered = true;
        response.resume();
        const connection = accepted.get(outgoing.socket?.localPort);
        assert.ok(connection);
        if (!connection.destroyed) await once(connection, "close", { signal });
        resolve({ status: response.statusCode, received: connection.bytesRead });
        outgoing.destroy();
      },
    );
    // Errors after the response are expected, because the server resets the connection when the client sends more data.
    outgoing.on("error", (error) => isAnswered || reject(error));
    const chunk = Buffer.alloc(64 * 1024, "x");
    const more = () => {
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
      assert.ok(response.received < 1024 * 1024, `${response.received} bytes were read`);
    });
  }

  test("bodies of authenticated callers are limited by the called service", async () => {
    const headers = { ...json, authorization: `Bearer ${token}` };
    const response = await upload("PUT", `${group}?api-version=2021-04-01`, headers);
    assert.equal(response.status, 413);
    // ARM's limit is 4 MiB. The server reads a part of the remaining body, so that the client can read the response.
    const range = [4, 5].map((each) => each * 1024 * 1024) as [number, number];
    assert.ok(
      response.received > range[0] && response.received < range[1],
      `${response.received} bytes were read`,
    );
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
