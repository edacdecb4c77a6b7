import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { findForbiddenAction, statusOf } from "@keelson/azure";
import { silentLogger } from "@keelson/base";
import {
  clientId,
  clientSecret,
  location,
  startTestAzure,
  subscriptionId,
  tenantId,
} from "../testing/test-azure.ts";

const signal = AbortSignal.timeout(900_000);
const subscription = `/subscriptions/${subscriptionId}`;
const networkContributor = "4d97b98b-1d4f-4787-a291-c67834d212e7";

test("access of other callers is unrestricted or depends on role assignments, by configuration", async () => {
  await using azure = await startTestAzure();
  const { resources, identities, authorization, call } = azure.clients;
  await resources.resourceGroups.createOrUpdate("g", { location }, call(signal));
  const identity = await identities.userAssignedIdentities.createOrUpdate(
    "g",
    "reader",
    { location },
    call(signal),
  );
  const principalId = identity.principalId ?? "";
  const options = {
    environment: {
      armEndpoint: azure.url,
      loginEndpoint: azure.url,
      audience: "https://management.azure.com/",
      caPem: azure.caPem,
    },
    credential: { tenantId, clientId, clientSecret },
    url: `${azure.url}/providers/Microsoft.Authorization/checkAccess?api-version=2021-06-01-preview`,
    audience: "https://authorization.azure.net",
    logger: silentLogger,
  };
  const read = "Microsoft.Network/virtualNetworks/read";
  const create = "Microsoft.Compute/virtualMachines/write";
  const forbidden = (of: string, actions: readonly string[]) =>
    findForbiddenAction(options, of, `${subscription}/resourceGroups/g`, actions, signal);
  azure.change({ defaultRights: "everything" });
  assert.equal(await forbidden(principalId, [read, create]), undefined);
  azure.change({ defaultRights: null });
  assert.equal(await forbidden(principalId, [read, create]), read);
  await authorization.roleAssignments.create(
    `${subscription}/resourceGroups/g`,
    randomUUID(),
    {
      principalId,
      roleDefinitionId: `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${networkContributor}`,
      principalType: "ServicePrincipal",
    },
    call(signal),
  );
  assert.equal(await forbidden(principalId, [read]), undefined);
  assert.equal(await forbidden(principalId, [read, create]), create);
  assert.equal(await forbidden(randomUUID(), [read]), read);

  const forArm = { ...options, audience: "https://management.azure.com" };
  const refused = findForbiddenAction(forArm, principalId, subscription, [read], signal);
  await assert.rejects(refused, (error) => statusOf(error) === 401);
});
