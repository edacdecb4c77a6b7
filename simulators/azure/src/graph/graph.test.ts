import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { JsonValue } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { at, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import {
  clientId,
  clientSecret,
  startTestAzure,
  subscriptionId,
  type TestAzure,
  tenantId,
} from "../testing/test-azure.ts";

const openShift = "f1dd0a37-89c6-4e07-bcd1-ffd3d43d8875";
const unknown = randomUUID();
const reader = "acdd72a7-3385-48ef-bd42-f606fba81ae7";
const clock = new ManualClock(new Date());
let azure: TestAzure;
let token: string;

before(async () => {
  azure = await startTestAzure({ clock });
  token = await tokenOf(clientId, clientSecret.reveal());
});
after(() => azure[Symbol.asyncDispose]());

async function signIn(id: string, secret: string) {
  return azure.raw(`/${tenantId}/oauth2/v2.0/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: id,
      client_secret: secret,
      scope: "https://graph.microsoft.com//.default",
    }).toString(),
  });
}

async function tokenOf(id: string, secret: string): Promise<string> {
  return nonEmptyStringAt((await signIn(id, secret)).json, "access_token") ?? "";
}

function graph(method: string, path: string, body?: JsonValue) {
  return azure.raw(path.startsWith("/") ? path : `/v1.0/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

async function create(set: string, body: JsonValue) {
  const response = await graph("POST", set, body);
  assert.equal(response.status, 201, response.text);
  return {
    id: nonEmptyStringAt(response.json, "id") ?? "",
    appId: nonEmptyStringAt(response.json, "appId") ?? "",
    json: response.json,
  };
}

const find = async (set: string, filter: string) =>
  objectsAt((await graph("GET", `${set}?$filter=${encodeURIComponent(filter)}`)).json, "value");

function assign(principalId: string, principalType?: string) {
  return azure.arm(
    "PUT",
    `/subscriptions/${subscriptionId}/providers/Microsoft.Authorization/roleAssignments/${randomUUID()}?api-version=2022-04-01`,
    {
      properties: {
        principalId,
        roleDefinitionId: `/subscriptions/${subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${reader}`,
        ...(principalType ? { principalType } : {}),
      },
    },
  );
}

test("an application of create-for-rbac signs in, can be assigned a role, and is found by the names that az searches", async () => {
  const displayName = `rbac-${randomUUID()}`;
  assert.deepEqual(await find("servicePrincipals", `displayName eq '${displayName}'`), []);
  const application = await create("applications", { displayName, keyCredentials: [] });
  const secret = await graph("POST", `applications/${application.id}/addPassword`, {
    passwordCredential: { displayName: "rbac", endDateTime: "2099-01-01T00:00:00Z" },
  });
  assert.equal(secret.status, 200);
  const secretText = nonEmptyStringAt(secret.json, "secretText") ?? "";
  assert.match((await signIn(application.appId, secretText)).text, /AADSTS7000229/);
  const principal = await create("servicePrincipals", { appId: application.appId, accountEnabled: true });
  assert.equal((await signIn(application.appId, secretText)).status, 200);
  assert.equal((await assign(principal.id, "ServicePrincipal")).status, 201);
  for (const [set, filter] of [
    ["servicePrincipals", `servicePrincipalNames/any(c:c eq '${application.appId}')`],
    ["servicePrincipals", `appId eq '${application.appId}'`],
    ["applications", `startswith(displayName,'${displayName}')`],
  ] as const) {
    const [found, ...more] = await find(set, filter);
    assert.equal(found?.appId, application.appId, filter);
    assert.deepEqual(more, []);
  }
  const shown = (await graph("GET", `applications/${application.id}`)).json;
  assert.equal(nonEmptyStringAt(objectsAt(shown, "passwordCredentials")[0], "hint"), secretText.slice(0, 3));
  assert.doesNotMatch(JSON.stringify(shown), new RegExp(secretText));
  const [known] = objectsAt(
    (
      await graph("POST", "directoryObjects/getByIds", {
        ids: [principal.id, randomUUID()],
        types: ["servicePrincipal"],
      })
    ).json,
    "value",
  );
  assert.equal(known?.["@odata.type"], "#microsoft.graph.servicePrincipal");
  assert.equal(known?.displayName, displayName);
  const keyId = nonEmptyStringAt(secret.json, "keyId") ?? "";
  assert.equal((await graph("POST", `applications/${application.id}/removePassword`, { keyId })).status, 204);
  assert.match((await signIn(application.appId, secretText)).text, /AADSTS7000215/);
  assert.equal((await graph("DELETE", `applications/${application.id}`)).status, 204);
  assert.match((await signIn(application.appId, secretText)).text, /AADSTS700016/);
  assert.deepEqual(await find("servicePrincipals", `appId eq '${application.appId}'`), []);
});

test("the service's own principal is there, and applications of the configuration are, with their old secret", async () => {
  const [principal] = await find("servicePrincipals", `appId eq '${openShift}'`);
  assert.equal(principal?.displayName, "Azure Red Hat OpenShift RP");
  const byKey = await graph("GET", `servicePrincipals(appId='${openShift}')`);
  assert.equal(nonEmptyStringAt(byKey.json, "id"), principal?.id);
  const [own] = await find("applications", `appId eq '${clientId}'`);
  const added = await graph("POST", `/beta/applications/${own?.id}/addPassword`);
  assert.equal((await signIn(clientId, nonEmptyStringAt(added.json, "secretText") ?? "")).status, 200);
  assert.equal((await signIn(clientId, clientSecret.reveal())).status, 200);
});

test("the directory outlives the process", async () => {
  const directory = await mkdtemp(join(tmpdir(), "sim-azure-graph-"));
  const state = { kind: "file", path: join(directory, "azure.sqlite") } as const;
  const shared = azure;
  try {
    azure = await startTestAzure({ clock, state });
    token = await tokenOf(clientId, clientSecret.reveal());
    const application = await create("applications", { displayName: "lasting" });
    await create("servicePrincipals", { appId: application.appId });
    const secret = await graph("POST", `applications/${application.id}/addPassword`);
    await azure[Symbol.asyncDispose]();
    azure = await startTestAzure({ clock, state });
    assert.equal(
      (await signIn(application.appId, nonEmptyStringAt(secret.json, "secretText") ?? "")).status,
      200,
    );
    await azure[Symbol.asyncDispose]();
  } finally {
    azure = shared;
    token = await tokenOf(clientId, clientSecret.reveal());
    await rm(directory, { recursive: true });
  }
});

test("an expired secret is rejected as expired", async () => {
  const application = await create("applications", { displayName: "short" });
  await create("servicePrincipals", { appId: application.appId });
  const endDateTime = new Date(clock.now().getTime() + 60_000).toISOString();
  const added = await graph("POST", `applications/${application.id}/addPassword`, {
    passwordCredential: { endDateTime },
  });
  const secretText = nonEmptyStringAt(added.json, "secretText") ?? "";
  assert.equal((await signIn(application.appId, secretText)).status, 200);
  await clock.advance(61_000);
  assert.match((await signIn(application.appId, secretText)).text, /AADSTS7000222/);
  assert.match((await signIn(application.appId, "another")).text, /AADSTS7000215/);
});

test("other services see new entries after the delay in the settings", async () => {
  azure.change({ directoryDelayMs: 30_000 });
  const application = await create("applications", { displayName: "young" });
  const principal = await create("servicePrincipals", { appId: application.appId });
  const added = await graph("POST", `servicePrincipals/${principal.id}/addPassword`);
  const secretText = nonEmptyStringAt(added.json, "secretText") ?? "";
  assert.match((await signIn(application.appId, secretText)).text, /AADSTS700016/);
  assert.deepEqual(await find("servicePrincipals", `appId eq '${application.appId}'`), []);
  const refused = await assign(principal.id);
  assert.equal(refused.status, 400);
  assert.equal(nonEmptyStringAt(refused.json, "error", "code"), "PrincipalNotFound");
  assert.match(refused.text, /does not exist in the directory /);
  assert.equal((await assign(principal.id, "ServicePrincipal")).status, 201, "the caller vouches for it");
  await clock.advance(31_000);
  assert.equal((await signIn(application.appId, secretText)).status, 200);
  assert.equal((await find("servicePrincipals", `appId eq '${application.appId}'`)).length, 1);
  const mistaken = await assign(principal.id, "User");
  assert.equal(nonEmptyStringAt(mistaken.json, "error", "code"), "UnmatchedPrincipalType");
  azure.change({ directoryDelayMs: null });
});

test("long lists have pages, a count and the selected properties", async () => {
  const prefix = randomUUID();
  for (const name of ["b", "a", "c"]) await create("applications", { displayName: `${prefix}-${name}` });
  const query = `$filter=${encodeURIComponent(`startswith(displayName,'${prefix}')`)}&$orderby=displayName&$select=displayName&$top=2`;
  const first = await graph("GET", `applications?${query}&$count=true`);
  assert.equal(at(first.json, "@odata.count"), 3);
  assert.deepEqual(objectsAt(first.json, "value"), [
    { displayName: `${prefix}-a` },
    { displayName: `${prefix}-b` },
  ]);
  const next = new URL(nonEmptyStringAt(first.json, "@odata.nextLink") ?? "");
  const second = await graph("GET", `${next.pathname}${next.search}`);
  assert.deepEqual(objectsAt(second.json, "value"), [{ displayName: `${prefix}-c` }]);
  assert.equal(nonEmptyStringAt(second.json, "@odata.nextLink"), undefined);
});

test("users and groups are created, changed and deleted, and a group's members have its rights", async () => {
  const userPrincipalName = `u-${randomUUID()}@keelson.local`;
  const user = await create("users", {
    accountEnabled: true,
    displayName: "U",
    mailNickname: "u",
    userPrincipalName,
    passwordProfile: { password: "long enough for this" },
  });
  assert.doesNotMatch(JSON.stringify(user.json), /long enough|hash|salt/);
  assert.equal(nonEmptyStringAt((await graph("GET", `users/${userPrincipalName}`)).json, "id"), user.id);
  assert.equal((await graph("PATCH", `users/${user.id}`, { jobTitle: "t", displayName: "V" })).status, 204);
  const changed = (await graph("GET", `users/${user.id}`)).json;
  assert.deepEqual([at(changed, "jobTitle"), at(changed, "displayName")], ["t", "V"]);
  const group = await create("groups", {
    displayName: "G",
    mailEnabled: false,
    mailNickname: "g",
    securityEnabled: true,
  });
  const member = { "@odata.id": `https://graph.microsoft.com/v1.0/directoryObjects/${user.id}` };
  assert.equal((await graph("POST", `groups/${group.id}/members/$ref`, member)).status, 204);
  assert.equal((await graph("POST", `groups/${group.id}/members/$ref`, member)).status, 400);
  const members = objectsAt((await graph("GET", `groups/${group.id}/members`)).json, "value");
  assert.deepEqual(
    members.map(({ id }) => id),
    [user.id],
  );
  const ids = await graph("POST", `users/${user.id}/getMemberGroups`, { securityEnabledOnly: true });
  assert.deepEqual(at(ids.json, "value"), [group.id]);
  const among = (groupIds: JsonValue) => graph("POST", `users/${user.id}/checkMemberGroups`, { groupIds });
  assert.deepEqual(at((await among([unknown, group.id])).json, "value"), [group.id]);
  assert.deepEqual(at((await among([unknown])).json, "value"), []);
  assert.equal((await among("all")).status, 400);
  const object = `directoryObjects/${user.id}/microsoft.graph.checkMemberGroups`;
  assert.deepEqual(at((await graph("POST", object, { groupIds: [group.id] })).json, "value"), [group.id]);
  assert.equal((await graph("POST", object.replace(user.id, unknown), { groupIds: [] })).status, 404);
  assert.equal((await assign(group.id)).status, 201);
  const assignedTo = async (id: string) =>
    objectsAt(
      (
        await azure.arm(
          "GET",
          `/subscriptions/${subscriptionId}/providers/Microsoft.Authorization/roleAssignments?api-version=2022-04-01&$filter=${encodeURIComponent(`atScope() and assignedTo('${id}')`)}`,
        )
      ).json,
      "value",
    ).map((each) => nonEmptyStringAt(each, "properties", "principalType"));
  assert.deepEqual(await assignedTo(user.id), ["Group"]);
  assert.equal((await graph("DELETE", `groups/${group.id}/members/${user.id}/$ref`)).status, 204);
  assert.deepEqual(await assignedTo(user.id), []);
  assert.equal((await graph("DELETE", `users/${user.id}`)).status, 204);
  assert.equal((await graph("GET", `users/${user.id}`)).status, 404);
});

test("applications, their principals and groups have owners", async () => {
  const application = await create("applications", { displayName: "owned" });
  const principal = await create("servicePrincipals", { appId: application.appId });
  const group = await create("groups", { displayName: "owned" });
  const owner = { "@odata.id": `https://graph.microsoft.com/v1.0/directoryObjects/${principal.id}` };
  for (const path of [
    `applications/${application.id}`,
    `servicePrincipals/${principal.id}`,
    `groups/${group.id}`,
  ]) {
    const owners = async () =>
      objectsAt((await graph("GET", `${path}/owners`)).json, "value").map(({ id }) => id);
    assert.deepEqual(await owners(), []);
    assert.equal((await graph("POST", `${path}/owners/$ref`, owner)).status, 204);
    assert.equal((await graph("POST", `${path}/owners/$ref`, owner)).status, 400);
    assert.deepEqual(await owners(), [principal.id]);
    assert.equal(at((await graph("GET", path)).json, "owners"), undefined);
    assert.equal((await graph("DELETE", `${path}/owners/${unknown}/$ref`)).status, 404);
    assert.equal((await graph("DELETE", `${path}/owners/${principal.id}/$ref`)).status, 204);
    assert.deepEqual(await owners(), []);
  }
});

for (const [name, method, path, body, status, code] of [
  [
    "an object that is not there",
    "GET",
    `applications/${unknown}`,
    undefined,
    404,
    "Request_ResourceNotFound",
  ],
  [
    "an unknown key",
    "GET",
    `servicePrincipals(appId='${unknown}')`,
    undefined,
    404,
    "Request_ResourceNotFound",
  ],
  ["a set that is not served", "GET", "planets", undefined, 400, "Request_BadRequest"],
  ["a method that there is not", "PUT", "applications", {}, 405, "Request_BadRequest"],
  ["an application without a name", "POST", "applications", {}, 400, "Request_BadRequest"],
  [
    "a member that there is not",
    "POST",
    "applications",
    { displayName: "x", size: 1 },
    400,
    "Request_BadRequest",
  ],
  [
    "an address that browsers would run",
    "POST",
    "applications",
    { displayName: "x", publicClient: { redirectUris: ["javascript:alert(1)"] } },
    400,
    "Request_BadRequest",
  ],
  ["a body that is no object", "POST", "applications", [], 400, "Request_BadRequest"],
  [
    "a principal without an application",
    "POST",
    "servicePrincipals",
    { appId: unknown },
    400,
    "NoBackingApplicationObject",
  ],
  [
    "a second principal",
    "POST",
    "servicePrincipals",
    { appId: clientId },
    409,
    "Request_MultipleObjectsWithSameKeyValue",
  ],
  ["a filter that cannot be read", "GET", "users?$filter=a+b", undefined, 400, "BadRequest"],
  ["a search", "GET", "users?$search=x", undefined, 400, "Request_UnsupportedQuery"],
  ["a page of size zero", "GET", "users?$top=0", undefined, 400, "Request_BadRequest"],
  ["a page that is gone", "GET", "users?$skiptoken=eA", undefined, 400, "Directory_ExpiredPageToken"],
  ["an application that asks who it is", "GET", "me", undefined, 400, "BadRequest"],
  ["a user without a password", "POST", "users", { displayName: "x" }, 400, "Request_BadRequest"],
] as const) {
  test(`${name} is an error in Graph's form`, async () => {
    const response = await graph(method, path, body);
    assert.equal(response.status, status, response.text);
    assert.equal(nonEmptyStringAt(response.json, "error", "code"), code);
    assert.ok(nonEmptyStringAt(response.json, "error", "message"));
    assert.ok(nonEmptyStringAt(response.json, "error", "innerError", "request-id"));
  });
}

test("Graph accepts only tokens for Graph", async () => {
  const ask = async (authorization: string) => {
    const response = await azure.raw("/v1.0/users", { headers: { authorization } });
    assert.equal(nonEmptyStringAt(response.json, "error", "code"), "InvalidAuthenticationToken");
    return response.status;
  };
  const forArm = await azure.clients.getToken(AbortSignal.timeout(900_000));
  assert.equal(await ask(""), 401);
  assert.equal(await ask("Bearer nonsense"), 401);
  assert.equal(await ask(`Bearer ${forArm}`), 401);
});
