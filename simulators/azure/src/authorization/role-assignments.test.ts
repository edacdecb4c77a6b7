import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { azureErrorCode, isNotFound, statusOf } from "@keelson/azure";
import { location, operatorRoles, startTestAzure, subscriptionId } from "../testing/test-azure.ts";

const abortSignal = AbortSignal.timeout(900_000);
const networkContributor = "4d97b98b-1d4f-4787-a291-c67834d212e7";
const reader = "acdd72a7-3385-48ef-bd42-f606fba81ae7";
const subscription = `/subscriptions/${subscriptionId}`;

async function withVnet() {
  const azure = await startTestAzure();
  const { resources, network, authorization } = azure.clients;
  const call = azure.clients.call(abortSignal);
  await resources.resourceGroups.createOrUpdate("g", { location }, call);
  const body = {
    location,
    addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
    subnets: [{ name: "s", addressPrefix: "10.0.0.0/24" }],
  };
  const vnet = (await network.virtualNetworks.createOrUpdate("g", "vnet", body, call)).id ?? "";
  const { roleAssignments, roleDefinitions } = authorization;
  const objectId = (name: string) => azure.objectIdOf(name) ?? "";
  const [one, two] = [(await azure.register()).objectId, objectId("f1dd0a37-89c6-4e07-bcd1-ffd3d43d8875")];
  const assign = (scope: string, roleId: string, principalId: string, name: string = randomUUID()) =>
    roleAssignments.create(scope, name, {
      roleDefinitionId: `${subscription}/providers/Microsoft.Authorization/roleDefinition/${roleId}`,
      principalId,
      principalType: "ServicePrincipal",
    });
  const list = async (scope: string, filter?: string) =>
    (await Array.fromAsync(roleAssignments.listForScope(scope, filter ? { filter } : {})))
      .map(({ scope: at }) => at)
      .sort();
  return { azure, one, two, call, vnet, assign, list, roleAssignments, roleDefinitions };
}

test("a role is assigned once per principal and scope, and its definition ID contains roleDefinitions", async () => {
  const { azure, one: principal, vnet, assign, roleAssignments } = await withVnet();
  await using _ = azure;
  const name = randomUUID();
  const made = await assign(vnet, networkContributor, principal, name);
  assert.equal(
    made.roleDefinitionId,
    `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${networkContributor}`,
  );
  assert.equal(made.scope, vnet);
  assert.equal(made.principalType, "ServicePrincipal");
  assert.equal(
    (await assign(vnet, networkContributor, principal, name)).id,
    made.id,
    "the same write again is no conflict",
  );
  await assert.rejects(assign(vnet, networkContributor, principal), (error) => {
    assert.equal(azureErrorCode(error), "RoleAssignmentExists");
    assert.equal(statusOf(error), 409);
    return true;
  });
  await assert.rejects(
    assign(vnet, reader, principal, name),
    (error) => azureErrorCode(error) === "RoleAssignmentUpdateNotPermitted",
  );
  assert.equal((await roleAssignments.getById((made.id ?? "").slice(1))).principalId, principal);
  await roleAssignments.delete(vnet, name);
  await roleAssignments.delete(vnet, name);
  await assert.rejects(roleAssignments.get(vnet, name), isNotFound);
});

test("a listing contains assignments at, above and below a scope, or only those that apply there", async () => {
  const { azure, one, two, vnet, assign, list } = await withVnet();
  await using _ = azure;
  const scopes = [subscription, `${subscription}/resourceGroups/g`, vnet, `${vnet}/subnets/s`];
  for (const scope of scopes) await assign(scope, reader, one);
  await assign(vnet, reader, two);
  assert.deepEqual(await list(vnet, `principalId eq '${one}'`), [...scopes].sort());
  // Initial assignments: one for the administrator, one for the reader, and one for each role of the operator.
  const fromTheStart = Array.from({ length: 2 + operatorRoles.length }, () => subscription);
  assert.deepEqual(await list(vnet, "atScope()"), [...fromTheStart, ...scopes.slice(0, 3), vnet].sort());
  assert.deepEqual(await list(`${vnet}/subnets/s`, `atScope() and assignedTo('${two}')`), [vnet]);
});

test("an assignment is deleted with its scope", async () => {
  const { azure, one, call, vnet, assign, list } = await withVnet();
  await using _ = azure;
  await assign(vnet, reader, one);
  await azure.clients.network.virtualNetworks.delete("g", "vnet", call);
  assert.deepEqual(await list(`${subscription}/resourceGroups/g`, `principalId eq '${one}'`), []);
});

test("an assignment needs a principal, a role and a scope that exist", async () => {
  const { azure, one, vnet, assign } = await withVnet();
  await using _ = azure;
  const code = (wanted: string) => (error: unknown) => azureErrorCode(error) === wanted;
  await assert.rejects(assign(vnet, reader, "nobody"), code("InvalidPrincipalId"));
  await assert.rejects(assign(vnet, reader, randomUUID()), code("PrincipalNotFound"));
  await assert.rejects(assign(vnet, randomUUID(), one), code("RoleDefinitionDoesNotExist"));
  await assert.rejects(assign(`${vnet}x`, reader, one), code("ResourceNotFound"));
  await assert.rejects(assign(vnet, reader, one, "not-a-guid"), code("InvalidResourceName"));
});

test("built-in roles are found by name and by ID at any scope, and are not to be changed", async () => {
  const { azure, vnet, roleDefinitions } = await withVnet();
  await using _ = azure;
  const named = await Array.fromAsync(
    roleDefinitions.list(vnet, { filter: "roleName eq 'Network Contributor'" }),
  );
  assert.deepEqual(
    named.map(({ name }) => name),
    [networkContributor],
  );
  assert.equal((await roleDefinitions.get(vnet, reader)).roleName, "Reader");
  const byId = await azure.arm(
    "GET",
    `/providers/Microsoft.Authorization/roleDefinitions/${reader}?api-version=2022-05-01-preview&disambiguation_dummy=`,
  );
  assert.equal(byId.status, 200);
  await assert.rejects(
    roleDefinitions.delete(subscription, reader),
    (error) => azureErrorCode(error) === "RoleDefinitionIsBuiltIn",
  );
  const own = randomUUID();
  await roleDefinitions.createOrUpdate(subscription, own, {
    roleName: "Mine",
    permissions: [{ actions: ["*/read"] }],
    assignableScopes: [subscription],
  });
  assert.equal((await roleDefinitions.get(subscription, own)).roleType, "CustomRole");
  await roleDefinitions.delete(subscription, own);
});
