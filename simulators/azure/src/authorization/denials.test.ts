import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type JsonObject, type JsonValue, Secret } from "@keelson/base";
import { nonEmptyStringAt, objectsAt } from "../base/json.ts";
import {
  clientId,
  clientSecret,
  location,
  operatorRoles,
  startTestAzure,
  subscriptionId,
  type TestAzure,
  tenantId,
} from "../testing/test-azure.ts";

const group = `/subscriptions/${subscriptionId}/resourceGroups/managed`;
const other = `/subscriptions/${subscriptionId}/resourceGroups/other`;
const table = `${group}/providers/Microsoft.Network/routeTables/t`;
const v = "?api-version=2024-03-01";
const name = "dddddddd-0000-4000-8000-000000000001";
const denial = (scope = group) =>
  `${scope}/providers/Microsoft.Authorization/denyAssignments/${name}?api-version=2018-07-01-preview`;
const customer = "22222222-2222-4333-8444-555555555555";
const everyone = { id: "00000000-0000-0000-0000-000000000000", type: "SystemDefined" };
const permissions = [
  {
    actions: ["*/action", "*/delete", "*/write"],
    notActions: ["Microsoft.Network/networkSecurityGroups/join/action"],
  },
];

describe("deny assignments", () => {
  let azure: TestAzure;
  let as: (method: string, path: string, body?: JsonValue) => ReturnType<TestAzure["arm"]>;
  before(async () => {
    azure = await startTestAzure({
      principals: [
        { clientId, clientSecret, displayName: "service", firstParty: true, roles: operatorRoles },
        { clientId: customer, clientSecret: new Secret("s"), displayName: "customer", roles: operatorRoles },
      ],
    });
    const credential = { tenantId, clientId: customer, clientSecret: new Secret("s") };
    const token = await azure.connect({ credential }).getToken(AbortSignal.timeout(900_000));
    as = (method, path, body) =>
      azure.raw(path, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
    for (const each of [group, other]) await azure.arm("PUT", `${each}${v}`, { location });
  });
  after(() => azure[Symbol.asyncDispose]());
  afterEach(() => azure.arm("DELETE", denial()));

  const deny = async (change: JsonObject = {}) => {
    const properties = { denyAssignmentName: "no changes", permissions, principals: [everyone], ...change };
    assert.equal((await azure.arm("PUT", denial(), { properties })).status, 201);
  };

  test("a deny assignment rejects actions that roles allow, with Azure's message, but not reads", async () => {
    await deny({ isSystemProtected: true });
    const refused = await as("PUT", `${table}${v}`, { location });
    assert.equal(refused.status, 403);
    const objectId = azure.objectIdOf(customer);
    assert.deepEqual(refused.json, {
      error: {
        code: "DenyAssignmentAuthorizationFailed",
        message: `The client '${customer}' with object id '${objectId}' has permission to perform action 'Microsoft.Network/routeTables/write' on scope '${table}'; however, the access is denied because of the deny assignment with name 'no changes' and Id '${name.replaceAll("-", "")}' at scope '${group}'.`,
      },
    });
    assert.equal((await as("GET", `${group}${v}`)).status, 200);
    assert.equal((await as("DELETE", `${group}${v}`)).status, 403);
    assert.equal((await azure.arm("GET", `${group}${v}`)).status, 200);
    assert.equal((await as("PUT", `${other}${v}`, { location })).status, 200, "elsewhere nothing is denied");
    assert.equal(
      (await azure.arm("PUT", `${table}${v}`, { location })).status,
      201,
      "the service is not bound",
    );
  });

  const excluded: readonly (readonly [what: string, change: () => JsonObject, status: number])[] = [
    ["an excluded principal", () => ({ excludePrincipals: [{ id: azure.objectIdOf(customer) ?? "" }] }), 200],
    ["another excluded principal", () => ({ excludePrincipals: [{ id: tenantId }] }), 403],
    ["a principal that is not meant", () => ({ principals: [{ id: tenantId }] }), 200],
    ["the very principal", () => ({ principals: [{ id: azure.objectIdOf(customer) ?? "" }] }), 403],
    [
      "an action that is spared",
      () => ({ permissions: [{ actions: ["*"], notActions: ["Microsoft.Network/*"] }] }),
      200,
    ],
    ["resources below, where these are not meant", () => ({ doesNotApplyToChildScopes: true }), 200],
    ["data only", () => ({ permissions: [{ actions: [], dataActions: ["*"] }] }), 200],
  ];
  for (const [what, change, status] of excluded)
    test(`${what}: ${status === 200 ? "allowed" : "rejected"}`, async () => {
      await azure.arm("PUT", `${table}${v}`, { location });
      await deny(change());
      assert.equal((await as("PUT", `${table}${v}`, { location })).status, status);
    });

  test("the scope itself is meant where those below are not", async () => {
    await deny({ doesNotApplyToChildScopes: true });
    assert.equal((await as("PATCH", `${group}${v}`, { tags: {} })).status, 403);
  });

  test("only services of Azure write and delete them", async () => {
    const properties = { denyAssignmentName: "mine", permissions, principals: [everyone] };
    const refused = await as("PUT", denial(other), { properties });
    assert.deepEqual(
      [refused.status, nonEmptyStringAt(refused.json, "error", "code")],
      [403, "AuthorizationFailed"],
    );
    await deny({ isSystemProtected: true });
    assert.equal((await as("DELETE", denial())).status, 403);
    const list = `${table}/providers/Microsoft.Authorization/denyAssignments?api-version=2018-07-01-preview`;
    assert.match((await as("GET", list)).text, /"isSystemProtected":true/);
  });

  test("services that check access receive them, and they are deleted with their group", async () => {
    await deny({ isSystemProtected: true });
    const form = {
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: clientSecret.reveal(),
    };
    const signedIn = await azure.raw(`/${tenantId}/oauth2/v2.0/token`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: String(new URLSearchParams({ ...form, scope: "https://authorization.azure.net/.default" })),
    });
    const asked = await azure.raw(
      "/providers/Microsoft.Authorization/checkAccess?api-version=2021-06-01-preview",
      {
        method: "POST",
        headers: {
          authorization: `Bearer ${nonEmptyStringAt(signedIn.json, "access_token")}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({
          Subject: { Attributes: { ObjectId: azure.objectIdOf(customer) } },
          Resource: { Id: table },
          Actions: [
            { Id: "Microsoft.Network/routeTables/write" },
            { Id: "Microsoft.Network/routeTables/read" },
          ],
        }),
      },
    );
    assert.deepEqual(
      objectsAt(asked.json, "value").map((each) => each.accessDecision),
      ["NotAllowed", "Allowed"],
    );
    await azure.arm("DELETE", `${group}${v}`);
    // Waits until the group is deleted, because Azure sends the response earlier.
    while ((await azure.arm("GET", `${group}${v}`)).status !== 404) await delay(10);
    await azure.arm("PUT", `${group}${v}`, { location });
    assert.equal((await as("PUT", `${table}${v}`, { location })).status, 201);
  });
});
