import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  createCertificateAuthority,
  httpConnectTimeoutMs,
  issueCertificate,
  Secret,
  silentLogger,
  systemClock,
} from "@keelson/base";
import { Agent, request } from "undici";
import { type ControlServer, startControlServer } from "./control-server.ts";
import { WorldControl } from "./world-control.ts";

const directory = mkdtempSync(join(tmpdir(), "keelson-control-"));
let server: ControlServer;
let control: WorldControl;
let dispatcher: Agent;

before(async () => {
  const ca = await createCertificateAuthority("test", 1);
  const tls = await issueCertificate(ca, {
    commonName: "localhost",
    dnsNames: ["localhost"],
    usage: "server",
    validDays: 1,
  });
  writeFileSync(join(directory, "azure.sqlite"), "world");
  control = new WorldControl({
    directory,
    processes: {
      prepare: async () => undefined,
      discard: async () => undefined,
      pause: async () => ({ [Symbol.asyncDispose]: async () => undefined }),
      stop: async () => undefined,
      start: async () => undefined,
    },
    version: "1.2.3",
    clock: systemClock,
    logger: silentLogger,
  });
  server = await startControlServer({
    tls,
    token: new Secret("secret"),
    port: undefined,
    control,
    logger: silentLogger,
  });
  dispatcher = new Agent({ connect: { timeout: httpConnectTimeoutMs, ca: ca.certificatePem } });
});
after(async () => {
  await dispatcher.destroy();
  await server[Symbol.asyncDispose]();
  await control[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
});

async function call(method: "GET" | "PUT" | "POST" | "DELETE", path: string, token = "secret") {
  const headers = { authorization: `Bearer ${token}` };
  const response = await request(`${server.url}${path}`, { dispatcher, method, headers });
  return { status: response.statusCode, body: JSON.parse(await response.body.text()) };
}

test("the control API saves, lists, restores and removes a snapshot", async () => {
  assert.partialDeepStrictEqual(await call("PUT", "/snapshots/base"), {
    status: 200,
    body: { name: "base" },
  });
  assert.partialDeepStrictEqual(await call("GET", "/snapshots"), {
    status: 200,
    body: { items: [{ name: "base" }] },
  });
  const restored = await call("POST", "/snapshots/base/restore");
  assert.deepEqual([restored.status, typeof restored.body.downMs], [200, "number"]);
  assert.equal((await call("DELETE", "/snapshots/base")).status, 200);
  assert.deepEqual((await call("GET", "/snapshots")).body, { items: [] });
});

for (const [method, path, status, error] of [
  ["GET", "/", 404, /There is no GET \//],
  ["GET", "/snapshots/base", 404, /There is no GET/],
  ["POST", "/snapshots/base/restore/now", 404, /There is no POST/],
  ["POST", "/snapshots/none/restore", 404, /Snapshot "none" not found/],
  ["PUT", "/snapshots/..%2Fx", 400, /Invalid snapshot name "\.\.%2Fx": expected at most 63/],
  ["PUT", "/snapshots/.empty", 400, /Invalid snapshot name/],
  ["DELETE", "/snapshots/Base", 400, /Invalid snapshot name/],
] as const)
  test(`the control API rejects ${method} ${path} with ${status}`, async () => {
    const response = await call(method, path);
    assert.equal(response.status, status);
    assert.match(response.body.error, error);
  });

test("the control API rejects an existing name with 409, and replaces the snapshot on request", async () => {
  assert.equal((await call("PUT", "/snapshots/again")).status, 200);
  assert.equal((await call("PUT", "/snapshots/again")).status, 409);
  assert.equal((await call("PUT", "/snapshots/again?replace=true")).status, 200);
});

test("the control API rejects a wrong token with 401", async () => {
  assert.equal((await call("GET", "/snapshots", "other")).status, 401);
  assert.equal((await call("POST", "/reset", "other")).status, 401);
});
