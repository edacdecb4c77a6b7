/**
 * Replays recorded requests of clients that are not on PyPI or npm: azure-cli 2.45 of Debian 12, Terraform's azurerm and azapi,
 * and Azure Service Operator. The order matters, because later requests depend on earlier ones.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { isJsonObject, nonEmptyStringAt } from "./base/json.ts";
import {
  clientId,
  clientSecret,
  location,
  type RawResponse,
  startTestAzure,
  subscriptionId,
  type TestAzure,
  tenantId,
} from "./testing/test-azure.ts";

interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly body?: object | string;
  readonly form?: Readonly<Record<string, string>>;
  readonly statuses: readonly number[];
  readonly members?: string;
}

const subscription = `/subscriptions/${subscriptionId}`;
const group = `${subscription}/resourcegroups/g245`;
const providers = `${group.replace("resourcegroups", "resourceGroups")}/providers`;
const vnet = `${providers}/Microsoft.Network/virtualNetworks/v1`;
const resource = "name id type location properties";
const scope = "https://management.core.windows.net//.default";

const signIn = (path: string): Recorded => ({
  method: "POST",
  path,
  form: {
    client_id: clientId,
    grant_type: "client_credentials",
    client_info: "1",
    client_secret: clientSecret.reveal(),
    scope,
    claims: '{"access_token": {"xms_cc": {"values": ["CP1"]}}}',
  },
  statuses: [200],
  members: "token_type expires_in ext_expires_in access_token",
});

const put = (path: string, body: object, statuses: readonly number[], members = resource): Recorded => ({
  ...{ method: "PUT", path, body, statuses, members },
});
const get = (path: string, members: string): Recorded => ({ method: "GET", path, statuses: [200], members });

const remove = (path: string, statuses: readonly number[]): Recorded => ({
  ...{ method: "DELETE", path, statuses },
});
/** Requests with which azapi creates a resource. azapi reads the resource before and after the write. */
const created = (path: string, body: object): readonly Recorded[] => [
  { method: "GET", path, statuses: [404], members: "error" },
  put(path, body, [201], "name id properties"),
  get(path, "name id properties"),
];
const azapi = `${subscription}/resourceGroups/azapi`;
const operator = `${subscription}/resourceGroups/aso`;
const network = "providers/Microsoft.Network/virtualNetworks";
const identities = "providers/Microsoft.ManagedIdentity/userAssignedIdentities";

const recorded: Readonly<Record<string, readonly Recorded[]>> = {
  "azure-cli 2.45": [
    get(
      "//metadata/endpoints?api-version=2015-01-01",
      "galleryEndpoint graphEndpoint portalEndpoint authentication",
    ),
    get("/adfs/.well-known/openid-configuration", "authorization_endpoint token_endpoint issuer jwks_uri"),
    signIn("/adfs/oauth2/token"),
    get(`/${tenantId}/v2.0/.well-known/openid-configuration`, "authorization_endpoint token_endpoint"),
    signIn(`/${tenantId}/oauth2/v2.0/token`),
    get("/subscriptions?api-version=2019-11-01", "value"),
    put(`${group}?api-version=2021-04-01`, { location }, [201], "id name type location properties"),
    put(`${group}?api-version=2021-04-01`, { location }, [200], "id name type location properties"),
    { method: "HEAD", path: `${group}?api-version=2021-04-01`, statuses: [204] },
    put(
      `${vnet}?api-version=2022-01-01`,
      { location, tags: {}, properties: { addressSpace: { addressPrefixes: ["10.0.0.0/16"] } } },
      [201],
    ),
    put(
      `${vnet}/subnets/master?api-version=2022-01-01`,
      { name: "master", properties: { addressPrefix: "10.0.0.0/23" } },
      [201],
      "name id properties",
    ),
    get(`${vnet}?api-version=2022-01-01`, resource),
    get(`${vnet}/providers/Microsoft.Authorization/permissions?api-version=2015-07-01`, "value"),
    get(
      `${vnet.replace("Network/", "Network//")}/providers/Microsoft.Authorization/permissions?api-version=2015-07-01`,
      "value",
    ),
    get(`${vnet}/providers/Microsoft.Authorization/roleAssignments?api-version=2020-04-01-preview`, "value"),
    get(
      `${subscription}/providers/Microsoft.Authorization/roleDefinitions?$filter=roleName%20eq%20%27Contributor%27&api-version=2018-01-01-preview`,
      "value",
    ),
    put(
      `${providers}/Microsoft.ManagedIdentity/userAssignedIdentities/someone?api-version=2022-01-31-preview`,
      { location, tags: {} },
      [201],
    ),
    {
      method: "PUT",
      path: `${group}/providers/Microsoft.Resources/deployments/commented?api-version=2022-09-01`,
      body: `{"properties": {"parameters": {}, "mode": "incremental", template: { // a comment
        "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
        "contentVersion": "1.0.0.0", /* nothing
        more */ "resources": [] }
      }}\n`,
      statuses: [201],
      members: "id name type properties",
    },
    get(
      `${subscription}/providers/Microsoft.RedHatOpenShift?api-version=2021-04-01`,
      "namespace registrationState",
    ),
    { method: "DELETE", path: `${group}?api-version=2021-04-01`, statuses: [202] },
  ],
  Terraform: [
    get(
      "/metadata/endpoints?api-version=2022-09-01",
      "name authentication resourceManager microsoftGraphResourceId",
    ),
    get(`/${tenantId}/v2.0/.well-known/openid-configuration`, "token_endpoint"),
    signIn(`/${tenantId}/oauth2/v2.0/token`),
    get(`${subscription}?api-version=2022-12-01`, "id subscriptionId tenantId displayName state"),
    get(`${subscription}/providers?api-version=2022-09-01`, "value"),
  ],
  "Terraform's azapi": [
    get(`/${tenantId}/v2.0/.well-known/openid-configuration`, "token_endpoint"),
    signIn(`/${tenantId}/oauth2/v2.0/token`),
    ...created(`${azapi}?api-version=2024-03-01`, { location, tags: { run: "first" } }),
    ...created(`${azapi}/${network}/vnet?api-version=2024-05-01`, {
      location,
      tags: { run: "first" },
      properties: { addressSpace: { addressPrefixes: ["10.0.0.0/22"] } },
    }),
    ...created(`${azapi}/${network}/vnet/subnets/master?api-version=2024-05-01`, {
      properties: { addressPrefix: "10.0.0.0/23" },
    }),
    ...created(`${azapi}/${identities}/ingress?api-version=2023-01-31`, { location, tags: { run: "first" } }),
    put(
      `${azapi}/${identities}/ingress?api-version=2023-01-31`,
      { location, tags: { run: "second" } },
      [200],
    ),
    remove(`${azapi}/${identities}/ingress?api-version=2023-01-31`, [200]),
    remove(`${azapi}/${network}/vnet/subnets/master?api-version=2024-05-01`, [200]),
    remove(`${azapi}?api-version=2024-03-01`, [202]),
  ],
  // The simulated Azure's response for a new identity has a relative `Location` header. The operator rejects this header and
  // sends the request again.
  "Azure Service Operator": [
    signIn(`/${tenantId}/oauth2/v2.0/token`),
    put(`${operator}?api-version=2020-06-01`, { name: "aso", location, tags: {} }, [201]),
    put(`${operator}/${identities}/aso-id?api-version=2023-01-31`, { name: "aso-id", location }, [201]),
    put(`${operator}/${identities}/aso-id?api-version=2023-01-31`, { name: "aso-id", location }, [200]),
    get(`${operator}/${identities}/aso-id?api-version=2023-01-31`, resource),
  ],
};

describe("requests as they were recorded are answered as they were, those of", () => {
  let azure: TestAzure;
  before(async () => {
    azure = await startTestAzure();
  });
  after(() => azure[Symbol.asyncDispose]());

  for (const [client, requests] of Object.entries(recorded)) {
    test(client, async () => {
      let token = "";
      for (const each of requests) {
        const response = await send(azure, each, token);
        const at = `${each.method} ${each.path}: ${response.status} ${response.text.slice(0, 300)}`;
        assert.ok(each.statuses.includes(response.status), at);
        const members = isJsonObject(response.json) ? Object.keys(response.json) : [];
        const missing = (each.members ?? "")
          .split(" ")
          .filter((name) => name !== "" && !members.includes(name));
        assert.deepEqual(missing, [], at);
        token = nonEmptyStringAt(response.json, "access_token") ?? token;
      }
    });
  }

  test("Terraform accepts the cloud, because its tenant is not the tenant of an Azure Stack", async () => {
    const { json } = await azure.arm("GET", "/metadata/endpoints?api-version=2022-09-01");
    assert.equal(nonEmptyStringAt(json, "authentication", "tenant"), "common");
    assert.equal(nonEmptyStringAt(json, "authentication", "identityProvider"), "AAD");
  });

  test("a list of permissions is the same with a slash more", async () => {
    await azure.arm("PUT", `${group}?api-version=2021-04-01`, { location });
    await azure.arm("PUT", `${vnet}?api-version=2022-01-01`, {
      location,
      properties: { addressSpace: { addressPrefixes: ["10.0.0.0/16"] } },
    });
    const path = `${vnet}/providers/Microsoft.Authorization/permissions?api-version=2015-07-01`;
    const [one, two] = await Promise.all([
      azure.arm("GET", path),
      azure.arm("GET", path.replace("Network/", "Network//")),
    ]);
    assert.equal(one.status, 200);
    assert.deepEqual(two.json, one.json);
  });
});

function send(azure: TestAzure, { method, path, body, form }: Recorded, token: string): Promise<RawResponse> {
  const type = form ? "application/x-www-form-urlencoded" : "application/json";
  const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
  const content = form ? new URLSearchParams(form).toString() : text;
  return azure.raw(path, {
    method,
    headers: {
      "x-ms-client-request-id": randomUUID(),
      ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
      ...(content === undefined ? {} : { "content-type": type }),
    },
    body: content,
  });
}
