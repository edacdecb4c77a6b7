import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Secret, silentLogger } from "@keelson/base";
import { clientId, clientSecret, startTestAzure, type TestAzure, tenantId } from "@keelson/sim-azure/testing";
import { statusOf } from "./azure-error.ts";
import { signIn } from "./credential.ts";
import { connectVault, type WritableVaultSecrets } from "./vault-secrets.ts";

const signal = AbortSignal.timeout(900_000);
let azure: TestAzure;
before(async () => {
  azure = await startTestAzure();
});
after(() => azure[Symbol.asyncDispose]());

/** Connects to the vault. Each token request adds its scopes to `asked`. */
function connect(asked: unknown[], audience?: string): WritableVaultSecrets {
  const environment = {
    armEndpoint: azure.url,
    loginEndpoint: azure.url,
    audience: "https://management.azure.com/",
    caPem: azure.caPem,
  };
  const { tokens } = signIn(environment, { tenantId, clientId, clientSecret });
  const getToken: typeof tokens.getToken = (scopes, options) => {
    asked.push(scopes);
    return tokens.getToken(scopes, options);
  };
  return connectVault({
    environment,
    credential: { tenantId, tokens: { getToken } },
    vaultUrl: `${azure.url}/vaults/reader/`,
    ...(audience ? { audience } : {}),
    logger: silentLogger,
  });
}

test("versions of a secret are listed and read", async () => {
  const token = await azure.clients.getToken(signal, "https://vault.azure.net");
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const set = (body: unknown) =>
    azure.raw("/vaults/reader/secrets/s?api-version=7.5", {
      method: "PUT",
      headers,
      body: JSON.stringify(body),
    });
  await set({ value: "one", tags: { a: "b" }, attributes: { nbf: 1_900_000_000 } });
  await set({ value: "two", attributes: { enabled: false } });
  const asked: unknown[] = [];
  const vault = connect(asked);
  const [first, second] = await vault.listVersions("s", signal);
  assert.ok(first && second);
  assert.deepEqual(
    [first.enabled, first.tags, first.notBefore, second.enabled, second.notBefore],
    [true, { a: "b" }, new Date(1_900_000_000_000), false, undefined],
  );
  const secret = await vault.get("s", first.version, signal);
  assert.equal(secret.reveal(), "one");
  assert.equal(`${secret}`.includes("one"), false);
  await assert.rejects(vault.get("s", second.version, signal), (error) => statusOf(error) === 403);
  await assert.rejects(vault.listVersions("none", signal), (error) => statusOf(error) === 404);
  assert.deepEqual(asked, ["https://vault.azure.net/.default"], "one sign-in for all");
});

test("a vault gets tokens for its own audience, whatever resource it names", async () => {
  const asked: unknown[] = [];
  const vault = connect(asked, "https://vault.azure.cn");
  await assert.rejects(vault.listVersions("s", signal), (error) => statusOf(error) === 401);
  assert.deepEqual(new Set(asked), new Set(["https://vault.azure.cn/.default"]));
});

test("a secret gets a new version", async () => {
  const vault = connect([]);
  const first = await vault.add("added", new Secret("one"), signal);
  const second = await vault.add("added", new Secret("two"), signal);
  const versions = await vault.listVersions("added", signal);
  assert.deepEqual(versions.map(({ version }) => version).toSorted(), [first, second].toSorted());
  assert.equal((await vault.get("added", second, signal)).reveal(), "two");
});
