import assert from "node:assert/strict";
import { request } from "node:https";
import { test } from "node:test";
import { isPlainObject } from "@keelson/base";
import { TestServer } from "./testing/test-server.ts";

test("a cluster has a listener with its API at the root, until it is deleted", async () => {
  await using server = await TestServer.start();
  const address = await server.cluster.rootAddress();
  assert.deepEqual(await server.cluster.rootAddress(), address);
  const get = (path: string, token?: string) =>
    new Promise<{ status: number | undefined; body: unknown }>((resolve, reject) => {
      const headers = token ? { authorization: `Bearer ${token}` } : {};
      const call = request({ ...address, path, headers, ca: server.authority.certificatePem, agent: false });
      call.once("error", reject).end();
      call.once("response", async (response) => {
        const text = (await response.toArray()).join("");
        resolve({ status: response.statusCode, body: JSON.parse(text) });
      });
    });
  const { status, body } = await get("/api/v1/namespaces/default", "secret-token");
  assert.equal(status, 200);
  assert.ok(isPlainObject(body) && isPlainObject(body.metadata));
  assert.equal(body.metadata.name, "default");
  assert.equal((await get("/api/v1/namespaces/default")).status, 403);

  const second = await server.server.createCluster({ name: "second", clientCertificateAuthorities: [] });
  assert.notEqual((await second.rootAddress()).port, address.port);
  await server.server.deleteCluster("demo");
  await assert.rejects(get("/api/v1/namespaces/default", "secret-token"), { code: "ECONNREFUSED" });
});
