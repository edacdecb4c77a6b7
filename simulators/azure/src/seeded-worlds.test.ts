import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { members, nonEmptyStringAt } from "./base/json.ts";
import { clientId, clientSecret, location, startTestAzure, tenantId } from "./testing/test-azure.ts";

const { signal } = new AbortController();

/** Creates the same objects in a new world, in the order of `names`. Returns their IDs and times. */
async function worldOf(seed: number | undefined, names: readonly string[]) {
  const clock = new ManualClock(new Date("2026-01-01T00:00:00Z"));
  await using azure = await startTestAzure({ clock, ...(seed === undefined ? {} : { seed }) });
  const { resources, network, identities, call } = azure.clients;
  await resources.resourceGroups.createOrUpdate("group", { location }, call(signal));
  const token = await azure.raw(`/${tenantId}/oauth2/v2.0/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: clientSecret.reveal(),
      scope: "https://graph.microsoft.com//.default",
    }).toString(),
  });
  const authorization = `Bearer ${nonEmptyStringAt(token.json, "access_token")}`;
  const graph = async (set: string, body: object) => {
    const headers = { authorization, "content-type": "application/json" };
    const created = await azure.raw(`/v1.0/${set}`, { method: "POST", headers, body: JSON.stringify(body) });
    assert.equal(created.status, 201, created.text);
    // Excludes `@odata.context`, because this URL contains the port of the simulator.
    return Object.fromEntries(
      Object.entries(members(created.json)).filter(([name]) => name !== "@odata.context"),
    );
  };
  const objects: Record<string, unknown> = {};
  for (const name of names) {
    const addressSpace = { addressPrefixes: ["10.0.0.0/16"] };
    const vnet = await network.virtualNetworks.createOrUpdate(
      "group",
      name,
      { location, addressSpace },
      call(signal),
    );
    const identity = await identities.userAssignedIdentities.createOrUpdate(
      "group",
      name,
      { location },
      call(signal),
    );
    const application = await graph("applications", { displayName: name });
    const appId = nonEmptyStringAt(application, "appId");
    const principal = await graph("servicePrincipals", { appId });
    objects[name] = { guid: vnet.resourceGuid, id: vnet.id, identity, application, principal };
  }
  return objects;
}

test("two worlds with the same seed and clock have the same objects, in any order of creation", async () => {
  const [first, second, other, random] = await Promise.all([
    worldOf(42, ["first", "second"]),
    worldOf(42, ["second", "first"]),
    worldOf(43, ["first", "second"]),
    worldOf(undefined, ["first", "second"]),
  ]);
  assert.deepEqual(first, second);
  assert.notDeepEqual(first, other);
  assert.notDeepEqual(first, random);
});
