import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { JsonObject, JsonValue } from "@keelson/base";
import { at, nonEmptyStringAt } from "./base/json.ts";
import { clientId, location, startTestAzure, subscriptionId, type TestAzure } from "./testing/test-azure.ts";

const group = `/subscriptions/${subscriptionId}/resourceGroups/g`;
const stack = new AsyncDisposableStack();
let azure: TestAzure;

before(async () => {
  azure = stack.use(await startTestAzure());
  await azure.arm("PUT", `${group}?api-version=2024-11-01`, { location });
});
after(() => stack.disposeAsync());

const call = (method: string, path: string, body?: JsonValue) =>
  azure.arm(method, `${group}/providers/${path}?api-version=2024-11-15`, body);
const code = async (path: string, body: JsonValue) =>
  nonEmptyStringAt((await call("PUT", path, body)).json, "error", "code");

const account = "Microsoft.DocumentDB/databaseAccounts/docs";
const accountBody = (more: JsonObject = {}): JsonObject => ({
  location,
  properties: { databaseAccountOfferType: "Standard", locations: [{ locationName: location }], ...more },
});

test("an account of Cosmos DB has databases, containers, keys and roles", async () => {
  const made = await call(
    "PUT",
    account,
    accountBody({ consistencyPolicy: { defaultConsistencyLevel: "Strong" } }),
  );
  assert.equal(made.status, 200);
  assert.equal(at(made.json, "properties", "documentEndpoint"), "https://docs.documents.azure.com:443/");
  const keys = await call("POST", `${account}/listKeys`);
  assert.equal(Buffer.from(nonEmptyStringAt(keys.json, "primaryMasterKey") ?? "", "base64").length, 64);
  assert.equal((await call("PUT", account, accountBody({ disableLocalAuth: true }))).status, 200);
  assert.equal((await call("POST", `${account}/listKeys`)).status, 403);

  const database = { properties: { resource: { id: "keelson" }, options: {} } };
  assert.equal((await call("PUT", `${account}/sqlDatabases/keelson`, database)).status, 200);
  assert.equal(await code(`${account}/sqlDatabases/other`, database), "BadRequest");
  const container = (path: string): JsonObject => ({
    properties: { resource: { id: "documents", partitionKey: { paths: [path], kind: "Hash" } } },
  });
  const containers = `${account}/sqlDatabases/keelson/containers/documents`;
  assert.equal((await call("PUT", containers, container("/id"))).status, 200);
  assert.equal((await call("PUT", containers, container("/id"))).status, 200);
  assert.equal(await code(containers, container("/key")), "BadRequest", "a partition key stays");

  const assignment = (principalId: string, role: string): JsonObject => ({
    properties: {
      principalId,
      roleDefinitionId: `${group}/providers/${account}/sqlRoleDefinitions/00000000-0000-0000-0000-${role}`,
      scope: `${group}/providers/${account}/dbs/keelson`,
    },
  });
  const assignments = `${account}/sqlRoleAssignments/11111111-1111-4111-8111-111111111111`;
  const principal = azure.objectIdOf(clientId) ?? "";
  assert.equal(await code(assignments, assignment(principal, "000000000009")), "BadRequest");
  assert.equal(
    await code(assignments, assignment(clientId.replaceAll("1", "9"), "000000000002")),
    "BadRequest",
  );
  assert.equal((await call("PUT", assignments, assignment(principal, "000000000002"))).status, 200);
});

test("a PostgreSQL server never returns its password and applies its network rules", async () => {
  const server = "Microsoft.DBforPostgreSQL/flexibleServers/pgs";
  const body = (more: JsonObject = {}): JsonObject => ({
    location,
    properties: { administratorLogin: "keelson", administratorLoginPassword: "secret", ...more },
  });
  assert.equal(await code(server, { location, properties: {} }), "InvalidParameterValue");
  const inSubnet = { network: { delegatedSubnetResourceId: `${group}/providers/Microsoft.Network/x/y` } };
  assert.equal(await code(server, body(inSubnet)), "InvalidSubnetDelegation");
  assert.equal((await call("PUT", server, body())).status, 201);
  const { json, text } = await call("GET", server);
  assert.equal(at(json, "properties", "fullyQualifiedDomainName"), "pgs.postgres.database.azure.com");
  assert.equal(text.includes("secret"), false);
  assert.equal(await code(server, body({ administratorLogin: "other" })), "PropertyChangeNotAllowed");
  assert.equal((await call("PUT", `${server}/databases/keelson`, { properties: {} })).status, 201);
  assert.equal((await call("DELETE", server)).status, 204);
  assert.equal(
    (await call("GET", `${server}/databases/keelson`)).status,
    404,
    "databases go with their server",
  );
});

test("alerts and autoscale settings require existing resources", async () => {
  const insights = "Microsoft.Insights";
  const action = { location: "global", properties: { groupShortName: "rp health" } };
  const tooLong = { location: "global", properties: { groupShortName: "longer than twelve" } };
  assert.equal(await code(`${insights}/actionGroups/ag`, tooLong), "InvalidActionGroup");
  assert.equal((await call("PUT", `${insights}/actionGroups/ag`, action)).status, 201);
  const alert = (scope: string, every = "PT5M"): JsonObject => ({
    location: "global",
    properties: {
      scopes: [scope],
      evaluationFrequency: every,
      windowSize: "PT1H",
      criteria: { allOf: [{ name: "c" }] },
      actions: [{ actionGroupId: `${group}/providers/${insights}/actionGroups/ag` }],
    },
  });
  const known = `${group}/providers/${insights}/actionGroups/ag`;
  assert.equal(await code(`${insights}/metricAlerts/a`, alert(`${known}x`)), "ResourceNotFound");
  assert.equal(await code(`${insights}/metricAlerts/a`, alert(known, "PT2M")), "BadRequest");
  assert.equal((await call("PUT", `${insights}/metricAlerts/a`, alert(known))).status, 200);
  const setting = (maximum: string): JsonObject => ({
    location,
    properties: {
      targetResourceUri: known,
      profiles: [{ name: "p", capacity: { minimum: "3", default: "3", maximum }, rules: [] }],
    },
  });
  assert.equal(await code(`${insights}/autoscaleSettings/s`, setting("2")), "BadRequest");
  assert.equal((await call("PUT", `${insights}/autoscaleSettings/s`, setting("7"))).status, 201);
});

test("a peering connects after both networks have it, and an update of a network preserves it", async () => {
  const vnet = (name: string) => `Microsoft.Network/virtualNetworks/${name}`;
  const network = (prefix: string): JsonObject => ({
    location,
    properties: { addressSpace: { addressPrefixes: [prefix] } },
  });
  const peering = (to: string): JsonObject => ({
    properties: { remoteVirtualNetwork: { id: `${group}/providers/${vnet(to)}` } },
  });
  const state = async () =>
    nonEmptyStringAt(
      (await call("GET", `${vnet("a")}/virtualNetworkPeerings/b`)).json,
      "properties",
      "peeringState",
    );
  await call("PUT", vnet("a"), network("10.0.0.0/24"));
  await call("PUT", vnet("b"), network("10.0.1.0/24"));
  assert.equal(await code(`${vnet("a")}/virtualNetworkPeerings/c`, peering("c")), "InvalidResourceReference");
  assert.equal((await call("PUT", `${vnet("a")}/virtualNetworkPeerings/b`, peering("b"))).status, 201);
  assert.equal(await state(), "Initiated");
  await call("PUT", `${vnet("b")}/virtualNetworkPeerings/a`, peering("a"));
  await call("PUT", vnet("a"), network("10.0.0.0/24"));
  assert.equal(await state(), "Connected");
});
