import { after, before } from "node:test";
import { makeGroup, testLifeCycles } from "../testing/sdk.ts";
import { clientId, startTestAzure, subscriptionId, type TestAzure } from "../testing/test-azure.ts";
import { readerRole } from "./built-in-roles.ts";

let azure: TestAzure;
before(async () => {
  azure = await startTestAzure();
  await makeGroup(azure, "g");
});
after(() => azure[Symbol.asyncDispose]());

const subscription = `/subscriptions/${subscriptionId}`;
const scope = `${subscription}/resourceGroups/g`;
const name = "3f2c6a52-5b8e-4d7c-9a51-0d1e2f3a4b5c";
const definitions = () => azure.clients.authorization.roleDefinitions;
const assignments = () => azure.clients.authorization.roleAssignments;

testLifeCycles([
  {
    name: "roleDefinitions",
    create: () =>
      definitions().createOrUpdate(subscription, name, {
        roleName: "Reader of networks",
        assignableScopes: [subscription],
        permissions: [{ actions: ["Microsoft.Network/*/read"], notActions: [] }],
      }),
    get: () => definitions().get(subscription, name),
    list: () => definitions().list(subscription),
    remove: () => definitions().delete(subscription, name),
  },
  {
    name: "roleAssignments",
    create: () =>
      assignments().create(scope, name, {
        roleDefinitionId: `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${readerRole}`,
        principalId: azure.objectIdOf(clientId) ?? "",
        principalType: "ServicePrincipal",
      }),
    get: () => assignments().get(scope, name),
    list: () => assignments().listForScope(scope),
    remove: () => assignments().delete(scope, name),
  },
]);
