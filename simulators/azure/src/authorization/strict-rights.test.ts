/** Tests that principals without a role have no access by default. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import type { JsonValue } from "@keelson/base";
import { nonEmptyStringAt, objectsAt } from "../base/json.ts";
import {
  location,
  startTestAzure,
  subscriptionId,
  type TestAzure,
  type TestPrincipal,
  tenantId,
} from "../testing/test-azure.ts";
import { networkContributorRole, readerRole } from "./built-in-roles.ts";

const signal = AbortSignal.timeout(900_000);
const subscription = `/subscriptions/${subscriptionId}`;
const group = `${subscription}/resourceGroups/g`;
const table = `${group}/providers/Microsoft.Network/routeTables/t`;
const other = `${subscription}/resourceGroups/other`;
const v = "?api-version=2024-03-01";

let azure: TestAzure;
before(async () => {
  azure = await startTestAzure();
  for (const each of [group, other]) await azure.arm("PUT", `${each}${v}`, { location });
  await azure.arm("PUT", `${table}${v}`, { location });
});
after(() => azure[Symbol.asyncDispose]());

async function signedIn(credential: TestPrincipal) {
  const token = await azure.connect({ credential }).getToken(signal);
  return (method: string, path: string, body?: JsonValue) =>
    azure.raw(path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
}

test("an application that the directory does not contain is rejected with AADSTS700016 and not registered", async () => {
  const clientId = randomUUID();
  const form = { grant_type: "client_credentials", client_id: clientId, client_secret: "made up" };
  const response = await azure.raw(`/${tenantId}/oauth2/v2.0/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: String(new URLSearchParams({ ...form, scope: "https://management.azure.com/.default" })),
  });
  assert.equal(response.status, 400);
  assert.equal(nonEmptyStringAt(response.json, "error"), "unauthorized_client");
  assert.match(nonEmptyStringAt(response.json, "error_description") ?? "", /^AADSTS700016: /);
  assert.equal(azure.objectIdOf(clientId), undefined);
});

describe("a principal without a role", () => {
  const calls: readonly (readonly [method: string, path: string, action: string, scope: string])[] = [
    ["GET", subscription, "Microsoft.Resources/subscriptions/read", subscription],
    ["GET", `${subscription}/locations`, "Microsoft.Resources/subscriptions/locations/read", subscription],
    ["PUT", `${subscription}/tagNames/a`, "Microsoft.Resources/subscriptions/tagNames/write", subscription],
    ["GET", group, "Microsoft.Resources/subscriptions/resourceGroups/read", group],
    ["PUT", other, "Microsoft.Resources/subscriptions/resourceGroups/write", other],
    ["DELETE", group, "Microsoft.Resources/subscriptions/resourceGroups/delete", group],
    ["GET", table, "Microsoft.Network/routeTables/read", table],
    ["PUT", table, "Microsoft.Network/routeTables/write", table],
  ];
  let call: Awaited<ReturnType<typeof signedIn>>;
  let who: TestPrincipal;
  before(async () => {
    who = await azure.register();
    call = await signedIn(who);
  });

  for (const [method, path, action, scope] of calls)
    test(`is denied ${action} with Azure's message`, async () => {
      const response = await call(method, `${path}${v}`, method === "PUT" ? { location } : undefined);
      assert.equal(response.status, 403, response.text);
      assert.deepEqual(response.json, {
        error: {
          code: "AuthorizationFailed",
          message: `The client '${who.clientId}' with object id '${who.objectId}' does not have authorization to perform action '${action}' over scope '${scope}' or the scope is invalid. If access was recently granted, please refresh your credentials.`,
        },
      });
    });

  for (const path of ["/subscriptions", `${subscription}/resourceGroups`, `${subscription}/resources`])
    test(`finds nothing in ${path.replace(subscriptionId, "{id}")}`, async () => {
      assert.deepEqual(objectsAt((await call("GET", `${path}${v}`)).json, "value"), []);
    });
});

/** Role assignment scopes, each with resources that the principal may and may not write. */
const places = [
  { at: subscription, allowed: [table, `${other}/providers/Microsoft.Network/routeTables/u`], refused: [] },
  { at: group, allowed: [table], refused: [`${other}/providers/Microsoft.Network/routeTables/u`] },
  {
    at: table,
    allowed: [table],
    refused: [
      `${group}/providers/Microsoft.Network/routeTables/t2`,
      `${other}/providers/Microsoft.Network/routeTables/u`,
    ],
  },
];

for (const { at, allowed, refused } of places) {
  test(`a role at ${at.split("/").length - 1} segments applies there and below, and nowhere else`, async () => {
    const call = await signedIn(await azure.register({ role: networkContributorRole, scope: at }));
    const put = async (id: string) => (await call("PUT", `${id}${v}`, { location })).status;
    for (const id of allowed) assert.ok([200, 201].includes(await put(id)), id);
    for (const id of refused) assert.equal(await put(id), 403, id);
  });
}

test("actions that a role does not contain are denied: a different action, a different provider", async () => {
  const call = await signedIn(await azure.register({ role: networkContributorRole, scope: group }));
  const disk = `${group}/providers/Microsoft.Compute/disks/d`;
  const made = await call("PUT", `${disk}${v}`, { location });
  assert.deepEqual([made.status, nonEmptyStringAt(made.json, "error", "code")], [403, "AuthorizationFailed"]);
  assert.match(made.text, /Microsoft\.Compute\/disks\/write/);
  assert.equal((await call("DELETE", `${group}${v}`)).status, 403);
});

test("sizes and images are read with a role that allows it at any scope", async () => {
  const compute = `${subscription}/providers/Microsoft.Compute`;
  const images = `${compute}/locations/${location}/publishers/azureopenshift/artifacttypes/vmimage/offers`;
  const call = await signedIn(await azure.register({ role: readerRole, scope: group }));
  assert.equal((await call("GET", `${compute}/skus${v}`)).status, 200);
  assert.equal((await call("GET", `${images}${v}`)).status, 200);
  assert.equal((await call("GET", `${compute}/locations/${location}/usages${v}`)).status, 403);
  const network = await signedIn(await azure.register({ role: networkContributorRole, scope: group }));
  assert.equal((await network("GET", `${compute}/skus${v}`)).status, 403);
});

test("a custom role grants its actions without its excluded actions", async () => {
  const name = randomUUID();
  const actions = ["Microsoft.Network/routeTables/*"];
  const permissions = [{ actions, notActions: ["Microsoft.Network/routeTables/delete"] }];
  const properties = { roleName: "Tables", permissions, assignableScopes: [subscription] };
  const definition = `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${name}`;
  assert.equal((await azure.arm("PUT", `${definition}?api-version=2022-04-01`, { properties })).status, 201);
  const call = await signedIn(await azure.register({ role: name, scope: group }));
  assert.equal((await call("GET", `${table}${v}`)).status, 200);
  assert.equal((await call("PUT", `${table}${v}`, { location })).status, 200);
  assert.equal((await call("DELETE", `${table}${v}`)).status, 403);
  assert.equal((await call("GET", `${group}${v}`)).status, 403);
});

test("lists contain only resources that their caller may read, if the caller has a role in the subscription", async () => {
  const call = await signedIn(await azure.register({ role: readerRole, scope: group }));
  const names = async (path: string) =>
    objectsAt((await call("GET", `${path}${v}`)).json, "value").map((each) => each.name ?? each.displayName);
  assert.equal((await names("/subscriptions")).length, 1);
  assert.equal((await call("GET", `${subscription}${v}`)).status, 200);
  assert.deepEqual(await names(`${subscription}/resourceGroups`), ["g"]);
  const all = objectsAt((await call("GET", `${subscription}/resources${v}`)).json, "value");
  assert.ok(all.length > 0 && all.every(({ id }) => String(id).startsWith(`${group}/`)));
});

test("a token expires with its principal: ARM rejects it with a challenge", async () => {
  const who = await azure.register({ role: readerRole });
  const call = await signedIn(who);
  assert.equal((await call("GET", `${group}${v}`)).status, 200);
  const environment = {
    armEndpoint: azure.url,
    loginEndpoint: azure.url,
    audience: "https://graph.microsoft.com",
    caPem: azure.caPem,
  };
  const token = await azure.connect({ environment }).getToken(signal);
  const headers = { authorization: `Bearer ${token}` };
  const path = `/v1.0/servicePrincipals/${who.objectId}`;
  assert.equal((await azure.raw(path, { method: "DELETE", headers })).status, 204);
  const refused = await call("GET", `${group}${v}`);
  assert.deepEqual(
    [refused.status, nonEmptyStringAt(refused.json, "error", "code")],
    [401, "InvalidAuthenticationToken"],
  );
  assert.match(String(refused.headers["www-authenticate"]), /error="insufficient_claims", claims="/);
  const fresh = azure.connect({ credential: who }).getToken(signal);
  await assert.rejects(fresh, /AADSTS7000229: /);
});

test("settings grant all rights to everyone or to one principal", async () => {
  const [one, two] = [await azure.register(), await azure.register()];
  const [asOne, asTwo] = [await signedIn(one), await signedIn(two)];
  azure.change({ rights: { [one.clientId]: "everything" } });
  assert.equal((await asOne("GET", `${group}${v}`)).status, 200);
  assert.equal((await asTwo("GET", `${group}${v}`)).status, 403);
  azure.change({ rights: null, defaultRights: "everything" });
  assert.equal((await asTwo("GET", `${group}${v}`)).status, 200);
  azure.change({ defaultRights: null });
  assert.equal((await asOne("GET", `${group}${v}`)).status, 403);
});
