import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ContainerRegistryManagementClient } from "@azure/arm-containerregistry";
import { armArguments, makeGroup, refusal, testLifeCycles } from "../testing/sdk.ts";
import { location, startTestAzure, subscriptionId, type TestAzure } from "../testing/test-azure.ts";

let azure: TestAzure;
let acr: ContainerRegistryManagementClient;
const base = `/subscriptions/${subscriptionId}/resourceGroups/g/providers/Microsoft.ContainerRegistry/registries/base1`;
const premium = { location, sku: { name: "Premium" } };
const child = ["g", "base1", "child"] as const;

before(async () => {
  azure = await startTestAzure();
  acr = new ContainerRegistryManagementClient(...armArguments(azure));
  await makeGroup(azure, "g");
  await acr.registries.create("g", "base1", premium);
});
after(() => azure[Symbol.asyncDispose]());

testLifeCycles([
  {
    name: "registries",
    create: () => acr.registries.create("g", "cycle", premium),
    get: () => acr.registries.get("g", "cycle"),
    list: () => acr.registries.list(),
    remove: () => acr.registries.delete("g", "cycle"),
  },
  {
    name: "scopeMaps",
    create: () => acr.scopeMaps.create(...child, { actions: ["repositories/aro/content/read"] }),
    get: () => acr.scopeMaps.get(...child),
    list: () => acr.scopeMaps.list("g", "base1"),
    remove: () => acr.scopeMaps.delete(...child),
  },
  {
    name: "tokens",
    create: () => acr.tokens.create(...child, { scopeMapId: `${base}/scopeMaps/_repositories_pull` }),
    get: () => acr.tokens.get(...child),
    list: () => acr.tokens.list("g", "base1"),
    remove: () => acr.tokens.delete(...child),
  },
  {
    name: "replications",
    create: () => acr.replications.create("g", "base1", "westeurope", { location: "westeurope" }),
    get: () => acr.replications.get("g", "base1", "westeurope"),
    list: () => acr.replications.list("g", "base1"),
    remove: () => acr.replications.delete("g", "base1", "westeurope"),
  },
]);

test("a token gets one or two new passwords, which are returned only once", async () => {
  const name = "token-7a3036d1-60a1-4605-8a41-44955e050804";
  const scopeMapId = `${base}/scopeMaps/_repositories_pull`;
  const token = await acr.tokens.create("g", "base1", name, { scopeMapId, status: "enabled" });
  const tokenId = token.id ?? "";
  const both = await acr.registries.generateCredentials("g", "base1", { tokenId });
  assert.equal(both.username, name);
  assert.deepEqual(
    both.passwords?.map((each) => each.name),
    ["password1", "password2"],
  );
  const expiry = new Date("2030-01-01T00:00:00Z");
  const second = await acr.registries.generateCredentials("g", "base1", {
    tokenId,
    name: "password2",
    expiry,
  });
  assert.deepEqual(
    second.passwords?.map((each) => [each.name, each.expiry]),
    [["password2", expiry]],
  );
  assert.notEqual(second.passwords?.[0]?.value, both.passwords?.[1]?.value);
  const read = await acr.tokens.get("g", "base1", name);
  assert.deepEqual(
    read.credentials?.passwords?.map((each) => [each.name, each.value]),
    [
      ["password1", undefined],
      ["password2", undefined],
    ],
  );
  await acr.tokens.update("g", "base1", name, { status: "disabled" });
  const off = await acr.tokens.get("g", "base1", name);
  assert.deepEqual([off.status, off.credentials?.passwords?.length], ["disabled", 2]);
  await assert.rejects(
    acr.registries.generateCredentials("g", "base1", { tokenId: `${base}/tokens/none` }).pollUntilDone(),
    refusal(400, "TokenNotFound"),
  );
});

test("scope maps of the system are preserved, and those in use cannot be deleted", async () => {
  const names = await Array.fromAsync(acr.scopeMaps.list("g", "base1"), ({ name }) => name ?? "");
  assert.ok(
    ["_repositories_admin", "_repositories_pull", "_repositories_push"].every((each) => names.includes(each)),
  );
  await assert.rejects(
    acr.scopeMaps.delete("g", "base1", "_repositories_push").pollUntilDone(),
    refusal(400, "SystemDefinedScopeMap"),
  );
  await acr.scopeMaps.create("g", "base1", "narrow", { actions: ["repositories/aro/content/read"] });
  await acr.tokens.create("g", "base1", "holder", { scopeMapId: `${base}/scopeMaps/narrow` });
  await assert.rejects(
    acr.scopeMaps.delete("g", "base1", "narrow").pollUntilDone(),
    refusal(400, "ScopeMapInUse"),
  );
  await assert.rejects(
    acr.tokens.create("g", "base1", "lost-token", { scopeMapId: `${base}/scopeMaps/none` }).pollUntilDone(),
    refusal(400, "InvalidResourceReference"),
  );
});

test("a registry has a unique name, an optional administrator and an immutable location", async () => {
  const made = await acr.registries.create("g", "Named1", { ...premium, adminUserEnabled: true });
  assert.equal(made.loginServer, "named1.azurecr.io");
  const check = async (name: string) => {
    const type = "Microsoft.ContainerRegistry/registries";
    const { nameAvailable, reason } = await acr.registries.checkNameAvailability({ name, type });
    return [nameAvailable, reason];
  };
  assert.deepEqual(await check("named1"), [false, "AlreadyExists"]);
  assert.deepEqual(await check("a-b"), [false, "Invalid"]);
  assert.deepEqual(await check("unnamed"), [true, undefined]);
  await makeGroup(azure, "other");
  await assert.rejects(
    acr.registries.create("other", "named1", premium).pollUntilDone(),
    refusal(409, "AlreadyInUse"),
  );
  const { username, passwords } = await acr.registries.listCredentials("g", "named1");
  assert.deepEqual([username, passwords?.length], ["Named1", 2]);
  const renewed = await acr.registries.regenerateCredential("g", "named1", { name: "password" });
  assert.notEqual(renewed.passwords?.[0]?.value, passwords?.[0]?.value);
  assert.equal(renewed.passwords?.[1]?.value, passwords?.[1]?.value);
  await assert.rejects(
    acr.registries.listCredentials("g", "base1"),
    refusal(400, "UnAuthorizedForCredentialOperations"),
  );
  await assert.rejects(
    acr.replications.delete("g", "base1", location).pollUntilDone(),
    refusal(400, "CannotDeleteHomeReplication"),
  );
  await acr.registries.create("g", "plain", { location, sku: { name: "Basic" } });
  await assert.rejects(
    acr.replications.create("g", "plain", "westeurope", { location: "westeurope" }).pollUntilDone(),
    refusal(400, "OperationNotSupportedForSku"),
  );
});
