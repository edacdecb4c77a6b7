import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { KeyVaultManagementClient, type VaultCreateOrUpdateParameters } from "@azure/arm-keyvault";
import { SecretClient } from "@azure/keyvault-secrets";
import { ManualClock } from "@keelson/base/testing";
import { ownerRole, vaultAdministratorRole } from "../authorization/built-in-roles.ts";
import { armArguments, makeGroup, refusal, testCredential, testLifeCycles } from "../testing/sdk.ts";
import {
  clientId,
  location,
  startTestAzure,
  subscriptionId,
  type TestAzure,
  type TestPrincipal,
  tenantId,
} from "../testing/test-azure.ts";

let azure: TestAzure;
let vaults: KeyVaultManagementClient["vaults"];
const clock = new ManualClock(new Date());

before(async () => {
  azure = await startTestAzure({ clock });
  ({ vaults } = new KeyVaultManagementClient(...armArguments(azure)));
  await makeGroup(azure, "g");
});
after(() => azure[Symbol.asyncDispose]());

const body = (properties: Partial<VaultCreateOrUpdateParameters["properties"]> = {}) => ({
  location,
  properties: {
    tenantId,
    sku: { family: "A" as const, name: "standard" as const },
    enableRbacAuthorization: true,
    ...properties,
  },
});

function secretsOf(vault: string, as?: TestPrincipal): SecretClient {
  return new SecretClient(`${azure.url}/vaults/${vault}`, testCredential(azure, as), {
    disableChallengeResourceVerification: true,
    tlsOptions: { ca: azure.caPem },
    retryOptions: { maxRetries: 0 },
  });
}

testLifeCycles([
  {
    name: "vaults",
    create: () => vaults.createOrUpdate("g", "cycle", body()),
    get: () => vaults.get("g", "cycle"),
    list: () => vaults.listByResourceGroup("g"),
    remove: () => vaults.delete("g", "cycle"),
  },
]);

test("a vault has a URI and supports partial updates", async () => {
  const made = await vaults.createOrUpdate("g", "changing", body({ enabledForDeployment: true }));
  assert.equal(made.properties.vaultUri, `${azure.url}/vaults/changing/`);
  assert.deepEqual([made.properties.enableSoftDelete, made.properties.softDeleteRetentionInDays], [true, 90]);
  const changed = await vaults.update("g", "changing", { properties: { enablePurgeProtection: true } });
  assert.deepEqual(
    [changed.properties?.enablePurgeProtection, changed.properties?.enabledForDeployment],
    [true, true],
  );
  const accessless = { location, properties: { tenantId, sku: body().properties.sku } };
  await assert.rejects(
    vaults.createOrUpdate("g", "accessless", accessless).pollUntilDone(),
    refusal(400, "BadRequest"),
  );
});

test("a deleted vault reserves its name and retains its content until it is recovered or purged", async () => {
  await vaults.createOrUpdate("g", "bin", body());
  await secretsOf("bin").setSecret("s", "v");
  await vaults.delete("g", "bin");
  await assert.rejects(secretsOf("bin").getSecret("s"), refusal(404, "VaultNotFound"));
  const free = () => vaults.checkNameAvailability({ name: "bin", type: "Microsoft.KeyVault/vaults" });
  assert.deepEqual([(await free()).nameAvailable, (await free()).reason], [false, "AlreadyExists"]);
  await assert.rejects(
    vaults.createOrUpdate("g", "bin", body()).pollUntilDone(),
    refusal(409, "ConflictError"),
  );
  const deleted = await vaults.getDeleted("bin", location);
  assert.match(deleted.properties?.vaultId ?? "", /\/vaults\/bin$/);
  assert.ok((await Array.fromAsync(vaults.listDeleted())).some(({ name }) => name === "bin"));
  const modules = `/subscriptions/${subscriptionId}/providers/Microsoft.KeyVault/deletedManagedHSMs`;
  assert.deepEqual((await azure.arm("GET", `${modules}?api-version=2024-11-01`)).json, { value: [] });
  await vaults.createOrUpdate("g", "bin", body({ createMode: "recover" }));
  assert.equal((await secretsOf("bin").getSecret("s")).value, "v");
  await vaults.delete("g", "bin");
  await vaults.purgeDeleted("bin", location);
  assert.equal((await free()).nameAvailable, true);
  await vaults.createOrUpdate("g", "bin", body());
  await assert.rejects(secretsOf("bin").getSecret("s"), refusal(404, "SecretNotFound"));
});

test("a protected vault cannot be purged, but its retention ends", async () => {
  await vaults.createOrUpdate(
    "g",
    "kept",
    body({ enablePurgeProtection: true, softDeleteRetentionInDays: 7 }),
  );
  await secretsOf("kept").setSecret("s", "v");
  await vaults.delete("g", "kept");
  await assert.rejects(
    vaults.purgeDeleted("kept", location).pollUntilDone(),
    refusal(405, "MethodNotAllowed"),
  );
  await clock.advance(8 * 86_400_000);
  const again = new KeyVaultManagementClient(...armArguments(azure)).vaults;
  await assert.rejects(again.getDeleted("kept", location), { statusCode: 404 });
  await again.createOrUpdate("g", "kept", body());
  await assert.rejects(secretsOf("kept").getSecret("s"), refusal(404, "SecretNotFound"));
});

test("a name is one vault's", async () => {
  const own = new KeyVaultManagementClient(...armArguments(azure)).vaults;
  await own.createOrUpdate("g", "single", body());
  await azure.clients.resources.resourceGroups.createOrUpdate("second", { location });
  await assert.rejects(
    own.createOrUpdate("second", "single", body()).pollUntilDone(),
    refusal(409, "VaultAlreadyExists"),
  );
  const invalid = await own.checkNameAvailability({ name: "1a", type: "Microsoft.KeyVault/vaults" });
  assert.deepEqual([invalid.nameAvailable, invalid.reason], [false, "AccountNameInvalid"]);
});

test("a principal needs a role, or an access policy in vaults with access policies", async () => {
  const own = new KeyVaultManagementClient(...armArguments(azure)).vaults;
  const reader = await azure.register({ role: ownerRole });
  const roles = await own.createOrUpdate("g", "by-roles", body());
  const all = { tenantId, objectId: azure.objectIdOf(clientId) ?? "", permissions: { secrets: ["all"] } };
  const some = { tenantId, objectId: reader.objectId, permissions: { secrets: ["get", "list"] } };
  await own.createOrUpdate(
    "g",
    "by-policies",
    body({ enableRbacAuthorization: false, accessPolicies: [all, some] }),
  );
  for (const name of ["by-roles", "by-policies"]) await secretsOf(name).setSecret("s", "v");
  const refused = refusal(403, "Forbidden");
  const [byRoles, byPolicies] = [secretsOf("by-roles", reader), secretsOf("by-policies", reader)];
  await assert.rejects(byRoles.getSecret("s"), (error: Error) => {
    const action = "Microsoft.KeyVault/vaults/secrets/getSecret/action";
    assert.match(error.message, new RegExp(`Caller is not authorized.*Action: '${action}'`));
    return refused(error);
  });
  assert.equal((await byPolicies.getSecret("s")).value, "v");
  await assert.rejects(byPolicies.setSecret("s", "w"), refused);
  const secretsUser = "4633458b-17de-408a-b874-0445c86b69e6";
  await azure.assign(reader.objectId, { role: secretsUser, scope: roles.id ?? "" });
  assert.equal((await byRoles.getSecret("s")).value, "v");
  assert.equal((await Array.fromAsync(byRoles.listPropertiesOfSecrets())).length, 1);
  await assert.rejects(byRoles.setSecret("s", "w"), refused);
});

test("access policies are added, replaced and removed on their own", async () => {
  const own = new KeyVaultManagementClient(...armArguments(azure)).vaults;
  await own.createOrUpdate("g", "policies", body({ enableRbacAuthorization: false, accessPolicies: [] }));
  const [one, two] = [await azure.register({ role: ownerRole }), await azure.register({ role: ownerRole })];
  const policy = (objectId: string, ...secrets: ("get" | "list" | "set")[]) => ({
    properties: { accessPolicies: [{ tenantId, objectId, permissions: { secrets } }] },
  });
  const permissions = async () => {
    const { properties } = await own.get("g", "policies");
    return Object.fromEntries(
      (properties.accessPolicies ?? []).map((each) => [each.objectId, each.permissions?.secrets]),
    );
  };
  await own.updateAccessPolicy("g", "policies", "add", policy(one.objectId, "get"));
  await own.updateAccessPolicy("g", "policies", "add", policy(one.objectId, "get", "list"));
  await own.updateAccessPolicy("g", "policies", "add", policy(two.objectId, "get"));
  assert.deepEqual(await permissions(), { [one.objectId]: ["get", "list"], [two.objectId]: ["get"] });
  await own.updateAccessPolicy("g", "policies", "replace", policy(one.objectId, "set"));
  await own.updateAccessPolicy("g", "policies", "remove", policy(two.objectId, "get"));
  assert.deepEqual(await permissions(), { [one.objectId]: ["set"] });
  await secretsOf("policies", one).setSecret("s", "v");
  await assert.rejects(
    own.updateAccessPolicy("g", "missing", "add", policy(one.objectId, "get")),
    refusal(404, "ParentResourceNotFound"),
  );
});

test("a vault that is not a resource accepts principals with a data role at the subscription", async () => {
  await secretsOf("nowhere").setSecret("s", "v");
  const [stranger, administrator] = [
    await azure.register(),
    await azure.register({ role: vaultAdministratorRole }),
  ];
  await assert.rejects(secretsOf("nowhere", stranger).getSecret("s"), refusal(403, "Forbidden"));
  assert.equal((await secretsOf("nowhere", administrator).getSecret("s")).value, "v");
});

test("a template's secret is a version in its vault, and ARM does not return its value", async () => {
  const client = new KeyVaultManagementClient(...armArguments(azure));
  await client.vaults.createOrUpdate("g", "templated", body());
  const write = (properties: { value: string; contentType?: string }) =>
    client.secrets.createOrUpdate("g", "templated", "s", { properties });
  const first = await write({ value: "one", contentType: "text/plain" });
  assert.equal(first.properties.value, undefined);
  const second = await write({ value: "two" });
  assert.notEqual(first.properties.secretUriWithVersion, second.properties.secretUriWithVersion);
  assert.equal((await secretsOf("templated").getSecret("s")).value, "two");
  await client.secrets.update("g", "templated", "s", { properties: { attributes: { enabled: false } } });
  await assert.rejects(secretsOf("templated").getSecret("s"), refusal(403, "Forbidden"));
  const names = await Array.fromAsync(client.secrets.list("g", "templated"), ({ name }) => name);
  assert.deepEqual(names, ["s"]);
  const path = `${second.id}?api-version=2024-11-01`;
  assert.equal((await azure.arm("DELETE", path)).status, 405);
});
