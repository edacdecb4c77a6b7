/**
 * Compares responses with traffic that was recorded in Azure in August 2026. Compares the status, the headers, and the order of
 * the body's fields.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { JsonObject, JsonValue } from "@keelson/base";
import { recordedTimings } from "./arm/recorded-timings.ts";
import { defaultTimings, type Timings } from "./arm/timings.ts";
import { at, isJsonObject, members, nonEmptyStringAt, objectsAt } from "./base/json.ts";
import {
  clientId,
  location,
  type RawResponse,
  startTestAzure,
  subscriptionId,
  type TestAzure,
  tenantId,
} from "./testing/test-azure.ts";
import { type Reply, startTestProvider } from "./testing/testing-provider.ts";

const subscription = `/subscriptions/${subscriptionId}`;
const group = `${subscription}/resourceGroups/recorded`;
const vnet = `${group}/providers/Microsoft.Network/virtualNetworks/dev-vnet`;
const subnet = `${vnet}/subnets/master`;
const identityIn = (segment: string) =>
  `${subscription}/${segment}/recorded/providers/Microsoft.ManagedIdentity/userAssignedIdentities/aro-cluster`;
const cluster = `${group}/providers/Microsoft.RedHatOpenShift/openShiftClusters/one`;
const networkContributor = "4d97b98b-1d4f-4787-a291-c67834d212e7";
const networks = "api-version=2025-07-01";
const identities = "api-version=2024-11-30";
const roles = "api-version=2022-04-01";
const groups = "api-version=2024-11-01";
const clusters = "api-version=2025-07-25";

/** Recorded response headers that the simulator does not send, each with the reason. */
const lackingHeaders = {
  "x-cache": "Azure's content delivery network adds it, which is not simulated",
  "x-msedge-ref": "Azure's content delivery network adds it, which is not simulated",
};

/** Recorded fields of the provider registration that the simulator does not return, each with the reason. */
const lackingRegistration = {
  hcpTypes: "the resource provider serves no hosted control planes",
  threeAuthorizations: "these applications of Microsoft do not act in simulated subscriptions",
};

interface Interaction {
  readonly name: string;
  readonly request: () => readonly [method: string, path: string, body?: JsonValue];
  readonly status: number;
  /** Expected headers by name. `undefined` stands for a header that must be missing. */
  readonly headers?: Readonly<Record<string, RegExp | string | undefined>>;
  /**
   * Field names of each object in the body, in the recorded order. The key is the path of the object. The key of the body itself
   * is `""`.
   */
  readonly fields?: Readonly<Record<string, string>>;
  readonly values?: () => Readonly<Record<string, JsonValue | RegExp | undefined>>;
  readonly afterwards?: (response: RawResponse) => Promise<void> | void;
}

const ownHeaders = {
  "cache-control": "no-cache",
  pragma: "no-cache",
  expires: "-1",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "content-type": "application/json; charset=utf-8",
};
const providerHeaders = { ...ownHeaders, "content-type": "application/json", etag: undefined };
const signature = "&t=\\d{18}&c=[\\w-]{2000,}&s=[\\w-]+&h=[\\w-]{43}$";
const operationOf = (namespace: string) =>
  new RegExp(
    `^https://[^/]+${subscription}/providers/${namespace}/locations/${location}/operations/[0-9a-f-]{36}\\?${networks}${signature}`,
  );
const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ticks = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/;
const vnetBody = {
  location,
  properties: {
    addressSpace: { addressPrefixes: ["10.0.0.0/22"] },
    enableDdosProtection: false,
    enableVmProtection: false,
  },
};
const vnetFields = {
  "": "name id etag type location properties",
  properties:
    "provisioningState resourceGuid addressSpace privateEndpointVNetPolicies subnets virtualNetworkPeerings enableDdosProtection",
};
const assignmentFields = {
  "": "properties id type name",
  properties:
    "roleDefinitionId principalId principalType scope condition conditionVersion createdOn updatedOn createdBy updatedBy delegatedManagedIdentityResourceId description",
};

for (const [pace, timings, retryAfter] of [
  ["the default pace", defaultTimings, { write: "0", groups: "1" }],
  ["recorded pace", recordedTimings(0.001), { write: "1", groups: "1" }],
] as const satisfies readonly (readonly [string, Timings, object])[]) {
  describe(`at ${pace}, interactions are those recorded:`, () => {
    const stack = new AsyncDisposableStack();
    const clusterText = `${JSON.stringify({ id: cluster, name: "one", properties: { provisioningState: "Creating" } }, null, 4)}\n`;
    const operation = `https://management.azure.com${subscription}/providers/microsoft.redhatopenshift/locations/${location}/operationsstatus/7c9de7e4-3ae9-4ca3-b1ec-b2bd2bb6dd2e?${clusters}`;
    let reply: Reply = { status: 404 };
    let azure: TestAzure;
    let callerId = "";
    let principalId = "";
    const assignment = () =>
      `${identityIn("resourcegroups")}/providers/Microsoft.Authorization/roleAssignments/5e7e1ea5-2e6b-4b3c-a3f6-1d2d2e5f7a10`;

    before(async () => {
      const provider = stack.use(await startTestProvider(() => reply));
      azure = stack.use(await startTestAzure({ timings, resourceProvider: provider.options }));
      callerId = azure.objectIdOf(clientId) ?? "";
      await azure.arm("PUT", `${group}?${groups}`, { location });
    });
    after(() => stack.disposeAsync());

    const pollOf = (response: RawResponse, header: string) => {
      const url = new URL(String(response.headers[header]));
      return azure.arm("GET", `${url.pathname}${url.search}`);
    };
    const networkOperationEnds = async (response: RawResponse) => {
      for (;;) {
        const polled = await pollOf(response, "azure-asyncoperation");
        assert.equal(polled.status, 200);
        assert.deepEqual(Object.keys(members(polled.json)), ["status"]);
        if (nonEmptyStringAt(polled.json, "status") === "Succeeded") return;
        assert.equal(nonEmptyStringAt(polled.json, "status"), "InProgress");
      }
    };
    const creates = (text: string): void => {
      reply = {
        status: 201,
        body: text,
        headers: { "azure-asyncoperation": operation, "retry-after": "10" },
      };
    };

    const interactions: readonly Interaction[] = [
      {
        name: "a virtual network is created asynchronously",
        request: () => ["PUT", `${vnet}?${networks}`, vnetBody],
        status: 201,
        headers: {
          ...ownHeaders,
          "azure-asyncnotification": "Enabled",
          "azure-asyncoperation": operationOf("Microsoft.Network"),
          "retry-after": retryAfter.write,
          etag: undefined,
          location: undefined,
        },
        fields: vnetFields,
        values: () => ({
          "properties.provisioningState": "Updating",
          "properties.enableVmProtection": undefined,
        }),
        afterwards: networkOperationEnds,
      },
      {
        name: "a subnet is created asynchronously, private since 2025-07-01",
        request: () => [
          "PUT",
          `${subnet}?${networks}`,
          {
            properties: {
              addressPrefix: "10.0.0.0/23",
              serviceEndpoints: [{ service: "Microsoft.ContainerRegistry" }],
            },
          },
        ],
        status: 201,
        headers: {
          ...ownHeaders,
          "azure-asyncoperation": operationOf("Microsoft.Network"),
          "retry-after": retryAfter.write,
          etag: /^W\/"/,
        },
        fields: {
          "": "name id etag properties type",
          properties:
            "provisioningState addressPrefix serviceEndpoints delegations privateEndpointNetworkPolicies privateLinkServiceNetworkPolicies defaultOutboundAccess",
          "properties.serviceEndpoints.0": "provisioningState service locations",
        },
        values: () => ({
          "properties.provisioningState": "Updating",
          "properties.defaultOutboundAccess": false,
          "properties.serviceEndpoints.0.locations": ["*"],
        }),
        afterwards: networkOperationEnds,
      },
      {
        name: "a virtual network and its subnets share one etag, which is no header",
        request: () => ["GET", `${vnet}?${networks}`],
        status: 200,
        headers: { ...ownHeaders, etag: undefined },
        fields: vnetFields,
        values: () => ({
          "properties.provisioningState": "Succeeded",
          "properties.subnets.0.properties.provisioningState": "Succeeded",
        }),
        afterwards: ({ json }) => {
          assert.equal(objectsAt(json, "properties", "subnets")[0]?.etag, at(json, "etag"));
        },
      },
      {
        name: "a virtual network that exists is updated asynchronously, and its subnets stay",
        request: () => ["PUT", `${vnet}?${networks}`, vnetBody],
        status: 200,
        headers: { "azure-asyncoperation": operationOf("Microsoft.Network") },
        fields: vnetFields,
        values: () => ({
          "properties.provisioningState": "Updating",
          "properties.subnets.0.properties.provisioningState": "Succeeded",
        }),
        afterwards: networkOperationEnds,
      },
      {
        name: "an identity is created with its path in Location and `resourcegroups` in its ID",
        request: () => ["PUT", `${identityIn("resourceGroups")}?${identities}`, { location }],
        status: 201,
        headers: { ...ownHeaders, location: identityIn("resourcegroups") },
        fields: {
          "": "location tags id name type properties",
          properties: "isolationScope tenantId principalId clientId",
        },
        values: () => ({
          id: identityIn("resourcegroups"),
          tags: {},
          "properties.isolationScope": "None",
          "properties.tenantId": tenantId,
          "properties.principalId": guid,
        }),
        afterwards: ({ json }) => {
          principalId = nonEmptyStringAt(json, "properties", "principalId") ?? "";
        },
      },
      {
        name: "a role assignment is created with a scope as sent, a role in the singular and no creator",
        request: () => [
          "PUT",
          `${assignment()}?${roles}`,
          {
            properties: {
              principalId,
              principalType: "ServicePrincipal",
              roleDefinitionId: `${subscription}/providers/Microsoft.Authorization/roleDefinition/${networkContributor}`,
            },
          },
        ],
        status: 201,
        headers: { ...ownHeaders, etag: undefined },
        fields: assignmentFields,
        values: () => ({
          id: assignment(),
          "properties.scope": identityIn("resourcegroups"),
          "properties.roleDefinitionId": `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${networkContributor}`,
          "properties.principalId": principalId,
          "properties.condition": null,
          "properties.conditionVersion": null,
          "properties.createdOn": ticks,
          "properties.updatedOn": ticks,
          "properties.createdBy": null,
          "properties.updatedBy": callerId,
          "properties.delegatedManagedIdentityResourceId": null,
          "properties.description": null,
        }),
      },
      {
        name: "a role assignment names its creator later",
        request: () => ["GET", `${assignment()}?${roles}`],
        status: 200,
        fields: assignmentFields,
        values: () => ({ "properties.createdBy": callerId, "properties.updatedBy": callerId }),
      },
      {
        name: "a role definition of the tenant has an ID at the tenant",
        request: () => [
          "GET",
          `/providers/Microsoft.Authorization/roleDefinitions/${networkContributor}?${roles}`,
        ],
        status: 200,
        headers: ownHeaders,
        fields: {
          "": "properties id type name",
          properties:
            "roleName type description assignableScopes permissions createdOn updatedOn createdBy updatedBy",
        },
        values: () => ({
          id: `/providers/Microsoft.Authorization/roleDefinitions/${networkContributor}`,
          "properties.description": /^[A-Z].* .*\.$/,
          "properties.createdOn": ticks,
          "properties.createdBy": null,
          "properties.updatedBy": null,
        }),
      },
      {
        name: "permissions are lists of actions in one page",
        request: () => ["GET", `${vnet}/providers/Microsoft.Authorization/permissions?${roles}`],
        status: 200,
        headers: ownHeaders,
        fields: {
          "": "value",
          "value.0": "actions notActions dataActions notDataActions",
        },
      },
      {
        name: "the registration of the resource provider is described",
        request: () => ["GET", `${subscription}/providers/Microsoft.RedHatOpenShift?${groups}`],
        status: 200,
        headers: ownHeaders,
        fields: {
          "": "id namespace authorizations resourceTypes registrationState registrationPolicy",
          "resourceTypes.0": "resourceType locations apiVersions defaultApiVersion capabilities",
        },
        values: () => ({
          "resourceTypes.0.resourceType": "OpenShiftClusters",
          "resourceTypes.0.locations": ["East US", "West Europe"],
          "resourceTypes.0.apiVersions.0": "2025-07-25",
          "resourceTypes.0.apiVersions.9": "2020-04-30",
          "resourceTypes.0.apiVersions.10": undefined,
          "resourceTypes.0.defaultApiVersion": "2025-07-25",
          "resourceTypes.0.capabilities": "SupportsTags, SupportsLocation",
          "resourceTypes.1.resourceType": "locations",
          "resourceTypes.1.locations": [],
          "resourceTypes.1.apiVersions.10": "2019-12-31-preview",
        }),
        afterwards: ({ json }) => {
          const types = objectsAt(json, "resourceTypes").map((each) => String(each.resourceType));
          const hcpTypes = types.filter((each) => /hcp/i.test(each));
          assert.deepEqual(hcpTypes, [], lackingRegistration.hcpTypes);
          assert.equal(objectsAt(json, "authorizations").length, 1, lackingRegistration.threeAuthorizations);
        },
      },
      {
        name: "a cluster is created with the provider's own bytes",
        request: () => {
          creates(clusterText);
          return ["PUT", `${cluster}?${clusters}`, { location }];
        },
        status: 201,
        headers: {
          ...providerHeaders,
          "azure-asyncoperation": new RegExp(`^${operation.replaceAll(/[.?]/g, "\\$&")}${signature}`),
          "retry-after": pace === "recorded pace" ? undefined : "10",
          location: undefined,
        },
        afterwards: ({ text }) => assert.equal(text, clusterText),
      },
      {
        name: "a deletion of a cluster has Location, too, and no content",
        request: () => {
          const result = operation.replace("operationsstatus", "operationresults");
          reply = {
            status: 202,
            headers: {
              "content-type": "application/json",
              "azure-asyncoperation": operation,
              location: result,
            },
          };
          return ["DELETE", `${cluster}?${clusters}`];
        },
        status: 202,
        headers: {
          ...providerHeaders,
          "content-length": "0",
          location: new RegExp(`/operationresults/[0-9a-f-]{36}\\?${clusters}${signature}`),
        },
      },
      {
        name: "a cluster that is gone is missed by Azure Resource Manager itself",
        request: () => {
          const error = { code: "ResourceNotFound", message: "The Resource was not found." };
          reply = { status: 404, body: { error } };
          return ["GET", `${cluster}?${clusters}`];
        },
        status: 404,
        headers: { ...ownHeaders, "x-ms-failure-cause": "gateway" },
        values: () => ({
          "error.code": "ResourceNotFound",
          "error.message":
            "The Resource 'Microsoft.RedHatOpenShift/OpenShiftClusters/one' under resource group 'recorded' was not found. For more details please go to https://aka.ms/ARMResourceNotFoundFix",
        }),
      },
      {
        name: "the deletion of a group ends after polls of a Location that changes",
        request: () => {
          reply = { status: 200, body: { value: [] } };
          return ["DELETE", `${group}?${groups}`];
        },
        status: 202,
        headers: {
          ...ownHeaders,
          "content-type": undefined,
          "content-length": "0",
          location: new RegExp(
            `^https://[^/]+${subscription}/operationresults/eyJqb2JJZCI6[\\w-]+\\?${groups}${signature}`,
          ),
          "retry-after": retryAfter.groups,
          "azure-asyncoperation": undefined,
        },
        async afterwards(response) {
          for (let seen = response; seen.status === 202; ) {
            const polled = await pollOf(seen, "location");
            assert.notEqual(polled.headers.location, seen.headers.location);
            if (polled.status === 202) assert.equal(polled.headers["retry-after"], retryAfter.groups);
            else assert.deepEqual([polled.status, polled.text], [200, ""]);
            seen = polled;
          }
        },
      },
      ...(["GET", "DELETE"] as const).flatMap((method) =>
        [() => vnet, assignment].map(
          (path): Interaction => ({
            name: `${method} of ${path === assignment ? "a role assignment" : "a resource"} below a deleted group misses the group`,
            request: () => [method, `${path()}?${path === assignment ? roles : networks}`],
            status: 404,
            headers: { ...ownHeaders, "x-ms-failure-cause": "gateway" },
            values: () => ({
              "error.code": "ResourceGroupNotFound",
              "error.message": "Resource group 'recorded' could not be found.",
            }),
          }),
        ),
      ),
    ];

    for (const interaction of interactions) {
      test(interaction.name, async () => {
        const response = await azure.arm(...interaction.request());
        check(interaction, response);
        await interaction.afterwards?.(response);
      });
    }

    test("Microsoft Graph has its own headers, and service principals all recorded properties", async () => {
      const environment = { ...environmentOf(azure), audience: "https://graph.microsoft.com" };
      const token = await azure.connect({ environment }).getToken(AbortSignal.timeout(900_000));
      const filter = encodeURIComponent(`appId eq '${clientId}'`);
      const response = await azure.raw(`/v1.0/servicePrincipals?$filter=${filter}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      check(
        {
          status: 200,
          headers: {
            "content-type":
              "application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8",
            "odata-version": "4.0",
            "request-id": guid,
            "strict-transport-security": "max-age=31536000",
            vary: "Accept-Encoding",
            "x-ms-ags-diagnostic": /ServerInfo/,
            "x-ms-resource-unit": /^\d+$/,
            "x-content-type-options": undefined,
            pragma: undefined,
            expires: undefined,
            "x-ms-request-id": undefined,
            "x-ms-ratelimit-remaining-subscription-reads": undefined,
          },
          fields: {
            "": "@odata.context value",
            "value.0": [
              "id deletedDateTime accountEnabled alternativeNames appDisplayName appDescription appId applicationTemplateId appOwnerOrganizationId appRoleAssignmentRequired",
              "createdByAppId createdDateTime description disabledByMicrosoftStatus displayName homepage isDisabled loginUrl logoutUrl notes",
              "notificationEmailAddresses preferredSingleSignOnMode preferredTokenSigningKeyThumbprint replyUrls servicePrincipalNames servicePrincipalType signInAudience tags tokenEncryptionKeyId samlSingleSignOnSettings",
              "addIns appRoles info keyCredentials oauth2PermissionScopes passwordCredentials resourceSpecificApplicationPermissions verifiedPublisher",
            ].join(" "),
          },
        },
        response,
      );
    });
  });
}

function check(
  { status, headers = {}, fields = {}, values = () => ({}) }: Omit<Interaction, "name" | "request">,
  response: RawResponse,
): void {
  assert.equal(response.status, status, response.text);
  for (const [name, expected] of Object.entries(headers)) {
    const value = response.headers[name];
    if (expected instanceof RegExp) assert.match(String(value), expected, name);
    else assert.equal(value, expected, name);
  }
  for (const [name, reason] of Object.entries(lackingHeaders))
    assert.equal(response.headers[name], undefined, reason);
  for (const [path, names] of Object.entries(fields))
    assert.deepEqual(Object.keys(members(valueAt(response.json, path))), names.split(" "), path);
  for (const [path, expected] of Object.entries(values())) {
    const value = valueAt(response.json, path);
    if (expected instanceof RegExp) assert.match(String(value), expected, path);
    else assert.deepEqual(value, expected, path);
  }
}

function valueAt(json: JsonValue | undefined, path: string): JsonValue | undefined {
  return path
    .split(".")
    .filter((each) => each !== "")
    .reduce<JsonValue | undefined>(
      (value, name) =>
        Array.isArray(value) ? (value as readonly JsonValue[])[Number(name)] : fieldOf(value, name),
      json,
    );
}

function fieldOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? (value as JsonObject)[name] : undefined;
}

function environmentOf(azure: TestAzure) {
  return { armEndpoint: azure.url, loginEndpoint: azure.url, audience: "", caPem: azure.caPem };
}
