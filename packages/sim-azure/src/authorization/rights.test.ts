import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, Secret } from "@keelson/base";
import { clientId, clientSecret, location, startTestAzure, subscriptionId, tenantId } from "../testing.ts";
import { readerRole } from "./built-in-roles.ts";

const subscription = `/subscriptions/${subscriptionId}`;
const group = `${subscription}/resourceGroups/g?api-version=2021-04-01`;
const newcomer = "33333333-2222-4333-8444-555555555555";

test("role assignments hold after a while, where the settings say so", async () => {
  const clock = new ManualClock(new Date());
  await using azure = await startTestAzure({
    clock,
    principals: [
      { clientId, clientSecret, displayName: "owner" },
      { clientId: newcomer, clientSecret: new Secret("s"), displayName: "newcomer" },
    ],
  });
  azure.change({ rights: { [newcomer]: "assignments" }, rightsDelayMs: 60_000 });
  await azure.arm("PUT", group, { location });
  const credential = { tenantId, clientId: newcomer, clientSecret: new Secret("s") };
  const token = await azure.connect({ credential }).getToken(AbortSignal.timeout(10_000));
  const look = async () => (await azure.raw(group, { headers: { authorization: `Bearer ${token}` } })).status;
  const roles = `${subscription}/providers/Microsoft.Authorization`;
  const assigned = await azure.arm(
    "PUT",
    `${roles}/roleAssignments/aaaaaaaa-0000-4000-8000-000000000009?api-version=2022-04-01`,
    {
      properties: {
        principalId: azure.objectIdOf(newcomer) ?? "",
        roleDefinitionId: `${roles}/roleDefinitions/${readerRole}`,
      },
    },
  );
  assert.equal(assigned.status, 201, assigned.text);
  assert.equal(await look(), 403);
  await clock.advance(59_000);
  assert.equal(await look(), 403);
  await clock.advance(1_000);
  assert.equal(await look(), 200);
});
