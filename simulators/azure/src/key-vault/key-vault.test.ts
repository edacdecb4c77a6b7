import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ClientSecretCredential } from "@azure/identity";
import { SecretClient } from "@azure/keyvault-secrets";
import { ManualClock } from "@keelson/base/testing";
import { clientId, clientSecret, startTestAzure, type TestAzure, tenantId } from "../testing/test-azure.ts";

let azure: TestAzure;
before(async () => {
  azure = await startTestAzure();
});
after(() => azure[Symbol.asyncDispose]());

/** Returns a client of the official SDK for a vault. The vault has a URL of the simulator, and not a host name of Azure. */
function vault(name: string, at = azure): SecretClient {
  const tlsOptions = { ca: at.caPem };
  const credential = new ClientSecretCredential(tenantId, clientId, clientSecret.reveal(), {
    authorityHost: at.url,
    disableInstanceDiscovery: true,
    tlsOptions,
  });
  return new SecretClient(`${at.url}/vaults/${name}`, credential, {
    disableChallengeResourceVerification: true,
    tlsOptions,
    retryOptions: { maxRetries: 0 },
  });
}

const refused = (statusCode: number, code: string) => ({ name: "RestError", statusCode, code });

test("a secret is set and read in its newest version or any other", async () => {
  const client = vault("plain");
  const expiresOn = new Date("2030-01-02T03:04:05Z");
  const first = await client.setSecret("Key", "one", {
    contentType: "text/plain",
    tags: { a: "b" },
    expiresOn,
  });
  const second = await client.setSecret("key", "two");
  assert.equal((await client.getSecret("key")).value, "two");
  const { version = "" } = first.properties;
  const read = await client.getSecret("key", { version });
  assert.equal(read.value, "one");
  assert.deepEqual(
    [read.properties.contentType, read.properties.tags, read.properties.expiresOn],
    ["text/plain", { a: "b" }, expiresOn],
  );
  assert.equal(read.properties.vaultUrl, "https://plain.vault.azure.net");
  assert.match(version, /^[0-9a-f]{32}$/);
  assert.notEqual(version, second.properties.version);
  await assert.rejects(vault("another").getSecret("key"), refused(404, "SecretNotFound"));
  await assert.rejects(client.getSecret("key", { version: "0".repeat(32) }), refused(404, "SecretNotFound"));
});

test("versions and secrets are listed page by page, without values", async () => {
  const client = vault("lists");
  for (let index = 0; index < 27; index++) await client.setSecret("many", `value ${index}`);
  await client.setSecret("few", "x");
  const versions = await Array.fromAsync(client.listPropertiesOfSecretVersions("many"));
  assert.equal(new Set(versions.map((each) => each.version)).size, 27);
  assert.ok(versions.every((each) => each.enabled === true && each.createdOn instanceof Date));
  assert.doesNotMatch(JSON.stringify(versions), /value \d/);
  const small = await Array.fromAsync(
    client.listPropertiesOfSecretVersions("many").byPage({ maxPageSize: 10 }),
  );
  assert.deepEqual(
    small.map((each) => each.length),
    [10, 10, 7],
  );
  const names = await Array.fromAsync(client.listPropertiesOfSecrets());
  assert.deepEqual(
    names.map(({ name, version }) => [name, version]),
    [
      ["few", undefined],
      ["many", undefined],
    ],
  );
});

test("a disabled version cannot be read until it is enabled", async () => {
  const client = vault("switches");
  const { version = "" } = (await client.setSecret("s", "v")).properties;
  const notBefore = new Date("2031-01-01T00:00:00Z");
  const off = await client.updateSecretProperties("s", version, {
    enabled: false,
    notBefore,
    tags: { t: "1" },
  });
  assert.deepEqual([off.enabled, off.notBefore, off.tags], [false, notBefore, { t: "1" }]);
  await assert.rejects(client.getSecret("s"), refused(403, "Forbidden"));
  const on = await client.updateSecretProperties("s", version, { enabled: true });
  assert.deepEqual([on.enabled, on.notBefore, on.tags], [true, notBefore, { t: "1" }]);
  assert.equal((await client.getSecret("s")).value, "v");
});

test("a deleted secret reserves its name until it is recovered or purged", async () => {
  const client = vault("bin");
  await client.setSecret("gone", "v");
  const deleted = await (await client.beginDeleteSecret("gone", { intervalInMs: 1 })).pollUntilDone();
  assert.equal(deleted.recoveryId, "https://bin.vault.azure.net/deletedsecrets/gone");
  assert.ok(deleted.scheduledPurgeDate && deleted.deletedOn);
  assert.equal(deleted.scheduledPurgeDate.getTime() - deleted.deletedOn.getTime(), 90 * 86_400_000);
  await assert.rejects(client.getSecret("gone"), refused(404, "SecretNotFound"));
  await assert.rejects(client.setSecret("gone", "w"), refused(409, "Conflict"));
  assert.equal((await Array.fromAsync(client.listDeletedSecrets())).length, 1);
  assert.equal((await Array.fromAsync(client.listPropertiesOfSecrets())).length, 0);
  await (await client.beginRecoverDeletedSecret("gone", { intervalInMs: 1 })).pollUntilDone();
  assert.equal((await client.getSecret("gone")).value, "v");
  await (await client.beginDeleteSecret("gone", { intervalInMs: 1 })).pollUntilDone();
  await client.purgeDeletedSecret("gone");
  await assert.rejects(client.purgeDeletedSecret("gone"), refused(404, "SecretNotFound"));
  await client.setSecret("gone", "w");
  assert.equal((await Array.fromAsync(client.listPropertiesOfSecretVersions("gone"))).length, 1);
});

test("a restart preserves secrets, and a deleted one is purged after 90 days", async () => {
  const directory = await mkdtemp(join(tmpdir(), "sim-azure-vault-"));
  const state = { kind: "file", path: join(directory, "azure.db") } as const;
  try {
    {
      await using one = await startTestAzure({ state });
      await vault("durable", one).setSecret("kept", "v");
      await vault("durable", one).setSecret("left", "v");
      await (await vault("durable", one).beginDeleteSecret("left", { intervalInMs: 1 })).pollUntilDone();
    }
    {
      await using two = await startTestAzure({ state });
      assert.equal((await vault("durable", two).getSecret("kept")).value, "v");
      assert.equal((await vault("durable", two).getDeletedSecret("left")).name, "left");
    }
    const clock = new ManualClock(new Date(Date.now() + 91 * 86_400_000));
    await using later = await startTestAzure({ state, clock });
    assert.equal((await vault("durable", later).getSecret("kept")).value, "v");
    await assert.rejects(vault("durable", later).getDeletedSecret("left"), refused(404, "SecretNotFound"));
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("a request without a token receives a sign-in challenge, a token for a different service is rejected", async () => {
  const path = "/vaults/plain/secrets/key?api-version=7.5";
  const bare = await azure.raw(path);
  assert.equal(bare.status, 401);
  const challenge = `Bearer authorization="https://127.0.0.1:${azure.port}/${tenantId}", resource="https://vault.azure.net"`;
  assert.match(
    String(bare.headers["www-authenticate"]),
    /^Bearer authorization="https:\/\/[^"]+\/[-\da-f]+", resource="https:\/\/vault\.azure\.net"$/,
  );
  assert.equal(String(bare.headers["www-authenticate"]).replace("localhost", "127.0.0.1"), challenge);
  const token = await azure.clients.getToken(AbortSignal.timeout(900_000));
  const other = await azure.raw(path, { headers: { authorization: `Bearer ${token}` } });
  assert.deepEqual([other.status, JSON.parse(other.text).error.code], [401, "Unauthorized"]);
});

const bad = [
  { name: "a name with a dot", at: "/secrets/a.b", body: { value: "v" }, status: 400 },
  { name: "no value", at: "/secrets/a", body: {}, status: 400 },
  { name: "a value too long", at: "/secrets/a", body: { value: "x".repeat(25_601) }, status: 400 },
  {
    name: "an invalid boolean",
    at: "/secrets/a",
    body: { value: "v", attributes: { enabled: 1 } },
    status: 400,
  },
  {
    name: "an invalid time",
    at: "/secrets/a",
    body: { value: "v", attributes: { exp: "x" } },
    status: 400,
  },
  { name: "no version of the API", at: "/secrets/a", body: { value: "v" }, status: 400, query: "" },
  {
    name: "a vault's name that none can have",
    vault: "1",
    at: "/secrets/a",
    body: { value: "v" },
    status: 404,
  },
  { name: "a different collection", at: "/things/a", body: { value: "v" }, status: 404 },
];
for (const { name, at, body, status, query = "?api-version=7.5", vault: vaultName = "refusals" } of bad) {
  test(`rejected: ${name}`, async () => {
    const token = await azure.clients.getToken(AbortSignal.timeout(900_000), "https://vault.azure.net");
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const call = { method: "PUT", headers, body: JSON.stringify(body) };
    const response = await azure.raw(`/vaults/${vaultName}${at}${query}`, call);
    assert.equal(response.status, status, response.text);
  });
}
