/**
 * Compares the resource provider's responses through the simulated ARM with recorded traffic of Azure Red Hat OpenShift (August
 * 2026). Compares the status, the headers, the properties and their order.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { parse } from "yaml";
import { ArmClient, type Response } from "./support/arm-client.ts";
import { exampleRequest, variablesFor } from "./support/cluster-request.ts";
import { readEndpoints } from "./support/endpoints.ts";
import { createIdentities } from "./support/managed-identities.ts";
import { WorldClient } from "./support/world-client.ts";

const newest = "2025-07-25";
const operationUrl =
  /^https:\/\/[^/]+\/subscriptions\/[0-9a-f-]{36}\/providers\/microsoft\.redhatopenshift\/locations\/eastus\/operationsstatus\/[0-9a-f-]{36}\?api-version=2025-07-25/;
const goTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;

/**
 * Resource provider headers in a recorded response. `retry-after` and `etag` are not included. They are documented extensions:
 * ARM's contract defines them, but the recordings lack them.
 */
interface RecordedHeaders {
  readonly "azure-asyncoperation"?: RegExp;
  readonly location?: RegExp;
}

interface Recorded {
  /**
   * Test title. If the name ends with `has ended`, the test waits for the operation to complete before it sends the request.
   */
  readonly name: string;
  readonly method: "GET" | "PUT" | "PATCH" | "POST" | "DELETE";
  readonly path: () => string;
  readonly body?: () => object;
  readonly status: number;
  readonly headers?: RecordedHeaders;
  /** Property names in order, by path. List elements use the path of the list. */
  readonly properties?: Readonly<Record<string, readonly string[]>>;
  readonly check?: (body: Response["body"], response: Response) => void;
}

let arm: ArmClient;
let authorization: string;
let request: object;
let identityRequest: object;
let operation = "";

const call = (method: Recorded["method"], path: string, body?: object) =>
  arm.call(method, path, body, { authorization });

function cluster(suffix = "", version = newest): string {
  return `${arm.cluster("recorded", suffix)}?api-version=${version}`;
}

function inLocation(suffix: string): string {
  return `/subscriptions/${arm.subscriptionId}/providers/Microsoft.RedHatOpenShift/locations/eastus/${suffix}?api-version=${newest}`;
}

/** Headers of all responses of the simulated ARM. */
const armHeaders = {
  "cache-control": "no-cache",
  pragma: "no-cache",
  expires: "-1",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "x-content-type-options": "nosniff",
};

/** Property order in every API version. It is not alphabetical. */
const top = ["id", "name", "type", "location", "systemData", "properties"];
const profiles = [
  ...["provisioningState", "clusterProfile", "consoleProfile", "servicePrincipalProfile"],
  ...["networkProfile", "masterProfile", "workerProfiles"],
];
const exposed = ["apiserverProfile", "ingressProfiles"];
const always = {
  "properties.clusterProfile": ["domain", "version", "resourceGroupId", "fipsValidatedModules"],
  "properties.servicePrincipalProfile": ["clientId"],
  "properties.masterProfile": ["vmSize", "subnetId", "encryptionAtHost"],
  "properties.workerProfiles": ["name", "vmSize", "diskSizeGB", "subnetId", "count", "encryptionAtHost"],
};
const network = ["podCidr", "serviceCidr", "outboundType", "loadBalancerProfile", "preconfiguredNSG"];
const creating = {
  ...always,
  "": top,
  properties: [...profiles, ...exposed],
  "properties.consoleProfile": [],
  "properties.networkProfile": network,
  "properties.networkProfile.loadBalancerProfile": ["managedOutboundIps"],
  "properties.apiserverProfile": ["visibility"],
  "properties.ingressProfiles": ["name", "visibility"],
};
const systemData = [
  ...["createdBy", "createdByType", "createdAt"],
  ...["lastModifiedBy", "lastModifiedByType", "lastModifiedAt"],
];
const created = {
  ...always,
  "": top,
  systemData,
  "properties.consoleProfile": ["url"],
  "properties.networkProfile": network,
  "properties.networkProfile.loadBalancerProfile": ["managedOutboundIps", "effectiveOutboundIps"],
  "properties.apiserverProfile": ["visibility", "url", "ip"],
};
const read = {
  ...created,
  properties: [...profiles, "workerProfilesStatus", ...exposed],
  "properties.ingressProfiles": ["name", "visibility", "ip"],
};
const running = { "": ["id", "name", "status", "startTime"] };
const ended = { "": ["id", "name", "status", "startTime", "endTime"] };
const begun = { "azure-asyncoperation": operationUrl };

const life: readonly Recorded[] = [
  {
    name: "PUT creates a cluster",
    method: "PUT",
    path: cluster,
    body: () => request,
    status: 201,
    headers: begun,
    properties: { ...creating, systemData },
    check(body) {
      const { provisioningState, clusterProfile, networkProfile } = body.properties;
      assert.equal(provisioningState, "Creating");
      assert.match(clusterProfile.version, /^4\.\d+\.\d+$/);
      assert.match(clusterProfile.resourceGroupId, /\/resourcegroups\//);
      assert.equal(networkProfile.outboundType, "Loadbalancer");
      assert.deepEqual(networkProfile.loadBalancerProfile, { managedOutboundIps: { count: 1 } });
    },
  },
  {
    name: "the operation runs",
    method: "GET",
    path: () => operation,
    status: 200,
    properties: running,
    check(body) {
      assert.equal(body.status, "Creating");
      assert.match(body.startTime, goTime);
      assert.match(body.id, /^\/subscriptions\/[0-9a-f-]{36}\/providers\/microsoft\.redhatopenshift\/[^?]*$/);
    },
  },
  {
    name: "a cluster is read while it is created",
    method: "GET",
    path: cluster,
    status: 200,
    // Intended difference from the recording: clients that did not start the operation may also poll it.
    headers: begun,
    properties: creating,
  },
  {
    name: "the operation has ended",
    method: "GET",
    path: () => operation,
    status: 200,
    properties: ended,
    check(body) {
      assert.equal(body.status, "Succeeded");
      assert.match(body.endTime, goTime);
    },
  },
  {
    name: "a cluster is read",
    method: "GET",
    path: cluster,
    status: 200,
    properties: read,
    check({ properties }) {
      assert.match(properties.consoleProfile.url, /^https:.*\/$/);
      assert.match(properties.apiserverProfile.url, /^https:\/\/api\.recorded\..*:6443\/$/);
      const [address] = properties.networkProfile.loadBalancerProfile.effectiveOutboundIps;
      assert.match(address.id, /\/resourcegroups\/.*\/publicIPAddresses\/recorded-\w{5}-pip-v4$/);
      const names = properties.workerProfilesStatus.map(({ name }: { name: string }) => name);
      assert.deepEqual(names, names.toSorted());
    },
  },
  {
    name: "PATCH without a change",
    method: "PATCH",
    path: cluster,
    body: () => ({}),
    status: 200,
    headers: begun,
    // Recorded PATCH responses in this API version contain no router address.
    properties: {
      ...created,
      properties: [...profiles, ...exposed],
      "properties.ingressProfiles": ["name", "visibility"],
    },
    check: (body) => assert.equal(body.properties.provisioningState, "Updating"),
  },
  {
    name: "the operation of PATCH has ended",
    method: "GET",
    path: () => operation,
    status: 200,
    properties: ended,
  },
  {
    name: "PUT with the creating body again",
    method: "PUT",
    path: cluster,
    body: () => request,
    status: 200,
    headers: begun,
    check: (body) => assert.equal(body.properties.provisioningState, "Updating"),
  },
  {
    name: "the operation of PUT has ended",
    method: "GET",
    path: () => operation,
    status: 200,
    properties: ended,
  },
  {
    name: "a list has no link to a next page",
    method: "GET",
    path: () =>
      `/subscriptions/${arm.subscriptionId}/providers/Microsoft.RedHatOpenShift/openShiftClusters?api-version=${newest}`,
    status: 200,
    properties: { "": ["value"], value: top },
    check: ({ value }) => assert.ok(value[0].properties.workerProfilesStatus.length > 0),
  },
  {
    name: "an early version has fewer properties",
    method: "GET",
    path: () => cluster("", "2022-04-01"),
    status: 200,
    // Documented difference (docs/azure-clients.md): `workerProfiles` is the desired state.
    properties: { "properties.networkProfile": ["podCidr", "serviceCidr"] },
  },
  {
    name: "credentials of kubeadmin",
    method: "POST",
    path: () => cluster("/listCredentials"),
    status: 200,
    properties: { "": ["kubeadminUsername", "kubeadminPassword"] },
  },
  {
    name: "the kubeconfig of the administrator",
    method: "POST",
    path: () => cluster("/listAdminCredentials"),
    status: 200,
    properties: { "": ["kubeconfig"] },
    check({ kubeconfig }) {
      const config = parse(Buffer.from(kubeconfig, "base64").toString("utf8"));
      assert.deepEqual(Object.keys(config), [
        ...["clusters", "contexts", "current-context", "preferences", "users"],
      ]);
      const [{ name, cluster: server }] = config.clusters;
      // The kubeconfig contains the CA because no trust store contains the CA of simulated clusters. Kubeconfigs from Azure need
      // no CA, because a CA in the public trust stores signs the API servers' certificates.
      assert.deepEqual([name, Object.keys(server)], ["recorded", ["certificate-authority-data", "server"]]);
      assert.equal(config["current-context"], "system:admin");
    },
  },
  {
    name: "versions",
    method: "GET",
    path: () => inLocation("openShiftVersions"),
    status: 200,
    properties: { "": ["value"], value: ["name", "type", "properties"], "value.properties": ["version"] },
    check: ({ value }) => assert.equal(value[0].type, "Microsoft.RedHatOpenShift/OpenShiftVersion"),
  },
  {
    name: "roles of managed identities",
    method: "GET",
    path: () => inLocation("platformWorkloadIdentityRoleSets"),
    status: 200,
    properties: {
      "": ["value"],
      value: ["name", "type", "properties"],
      "value.properties": ["openShiftVersion", "platformWorkloadIdentityRoles"],
      "value.properties.platformWorkloadIdentityRoles": [
        ...["operatorName", "roleDefinitionName", "roleDefinitionId"],
      ],
    },
    check({ value }) {
      const [{ properties }] = value;
      const operators = properties.platformWorkloadIdentityRoles.map(
        ({ operatorName }: { operatorName: string }) => operatorName,
      );
      assert.deepEqual(operators, [
        ...["cloud-controller-manager", "ingress", "machine-api", "disk-csi-driver"],
        ...["cloud-network-config", "image-registry", "file-csi-driver", "aro-operator"],
      ]);
    },
  },
  {
    name: "DELETE",
    method: "DELETE",
    path: cluster,
    status: 202,
    headers: { ...begun, location: /\/locations\/eastus\/operationresults\/[0-9a-f-]{36}\?api-version=/ },
    check(body, { headers }) {
      assert.equal(body, undefined);
      assert.equal(headers["content-length"], "0");
      const [status, result] = ["azure-asyncoperation", "location"].map((name) =>
        /\/([0-9a-f-]{36})\?/.exec(String(headers[name]))?.at(1),
      );
      assert.equal(status, result);
    },
  },
  {
    name: "the operation of DELETE has ended",
    method: "GET",
    path: () => operation,
    status: 200,
    properties: ended,
    check: (body) => assert.equal(body.status, "Succeeded"),
  },
  {
    name: "a deleted cluster",
    method: "GET",
    path: cluster,
    status: 404,
    properties: { "": ["error"], error: ["code", "message"] },
    check({ error }, { headers }) {
      assert.equal(error.code, "ResourceNotFound");
      assert.match(
        error.message,
        /^The Resource 'Microsoft\.RedHatOpenShift\/OpenShiftClusters\/recorded' under resource group 'recorded' was not found\. For more details please go to https:\/\/aka\.ms\/ARMResourceNotFoundFix$/,
      );
      assert.equal(headers["x-ms-failure-cause"], "gateway");
    },
  },
];

const identityCluster = () => `${arm.cluster("identities")}?api-version=${newest}`;
const identityProfiles = profiles.map((each) =>
  each === "servicePrincipalProfile" ? "platformWorkloadIdentityProfile" : each,
);
/** Returns the property names of each element of a map. The recorded maps are sorted by key. */
const elements = (map: Readonly<Record<string, object>>): readonly (readonly string[])[] => {
  assert.deepEqual(Object.keys(map), Object.keys(map).toSorted());
  return Object.values(map).map((each) => Object.keys(each));
};

const identityLife: readonly Recorded[] = [
  {
    name: "PUT creates a cluster with managed identities",
    method: "PUT",
    path: identityCluster,
    body: () => identityRequest,
    status: 201,
    headers: begun,
    properties: {
      "": [...top, "identity"],
      identity: ["type", "tenantId", "userAssignedIdentities"],
      properties: [...identityProfiles, ...exposed],
      "properties.clusterProfile": always["properties.clusterProfile"],
      "properties.consoleProfile": [],
      "properties.apiserverProfile": ["visibility"],
      "properties.ingressProfiles": ["name", "visibility"],
    },
    check({ identity, properties }) {
      assert.deepEqual(Object.values(identity.userAssignedIdentities), [{}]);
      const { platformWorkloadIdentities } = properties.platformWorkloadIdentityProfile;
      for (const names of elements(platformWorkloadIdentities)) assert.deepEqual(names, ["resourceId"]);
    },
  },
  {
    name: "the operation of PUT has ended",
    method: "GET",
    path: () => operation,
    status: 200,
    properties: ended,
  },
  {
    name: "a private cluster with managed identities is read",
    method: "GET",
    path: identityCluster,
    status: 200,
    properties: {
      "": [...top, "identity"],
      properties: [...identityProfiles, "workerProfilesStatus", ...exposed],
      "properties.clusterProfile": [...always["properties.clusterProfile"], "oidcIssuer"],
      "properties.apiserverProfile": ["visibility", "url", "ip"],
      "properties.ingressProfiles": ["name", "visibility", "ip"],
    },
    check({ identity, properties }) {
      for (const names of Object.values(identity.userAssignedIdentities).map((each) =>
        Object.keys(Object(each)),
      ))
        assert.deepEqual(names, ["clientId", "principalId"]);
      const { platformWorkloadIdentities } = properties.platformWorkloadIdentityProfile;
      for (const names of elements(platformWorkloadIdentities))
        assert.deepEqual(names, ["resourceId", "clientId", "objectId"]);
      // A private API server has the first free address of its subnet, and a private router has the last one.
      assert.match(properties.apiserverProfile.ip, /^10\..*\.4$/);
      assert.match(properties.ingressProfiles[0].ip, /^10\..*\.254$/);
      const [address] = properties.networkProfile.loadBalancerProfile.effectiveOutboundIps;
      assert.match(address.id, /\/publicIPAddresses\/[0-9a-f-]{36}-outbound-pip-v4$/);
    },
  },
];

function assertProperties(body: unknown, path: readonly string[], expected: readonly string[]): void {
  const [name, ...rest] = path;
  if (Array.isArray(body)) {
    for (const each of body) assertProperties(each, path, expected);
  } else if (name !== undefined && name !== "") {
    assertProperties(Object(body)[name], rest, expected);
  } else {
    assert.deepEqual(Object.keys(Object(body)), expected);
  }
}

/**
 * Defines tests that send the recorded requests to the simulated ARM of an instance. `stateDirectory` returns the instance's state
 * directory. The instance has subnets for the clusters `recorded` and `identities`.
 */
export function testRecordedTraffic(stateDirectory: () => string): void {
  before(async () => {
    const directory = stateDirectory();
    const file = join(directory, "endpoints.json");
    arm = new ArmClient(file, readEndpoints(file).arm);
    authorization = `Bearer ${await arm.token()}`;
    for (const name of ["recorded", "identities"]) {
      const group = `/subscriptions/${arm.subscriptionId}/resourceGroups/${name}?api-version=2021-04-01`;
      assert.ok((await call("PUT", group, { location: "eastus" })).status < 300);
    }
    const variables = await arm.clusterVariables("recorded");
    const { tags: _, ...example } = Object(exampleRequest("20250725", variables));
    const { clusterProfile, networkProfile } = example.properties;
    // Empty values that `az` sends. The service replaces them with the defaults.
    request = {
      ...example,
      properties: {
        ...example.properties,
        clusterProfile: { ...clusterProfile, version: "" },
        networkProfile: { ...networkProfile, outboundType: "" },
      },
    };
    await using world = new WorldClient(directory);
    const place = {
      azure: world.azure.bind(world),
      subscriptionId: arm.subscriptionId,
      serviceFile: join(directory, "service.json"),
    };
    await createIdentities(place, "identities");
    const { tags: __, ...identityExample } = Object(
      exampleRequest("20250725-identities", variablesFor("identities", arm.subscriptionId)),
    );
    identityRequest = {
      ...identityExample,
      properties: {
        ...identityExample.properties,
        apiserverProfile: { visibility: "Private" },
        ingressProfiles: [{ name: "default", visibility: "Private" }],
      },
    };
  });
  after(() => arm?.[Symbol.asyncDispose]());

  for (const [title, interactions] of [
    ["the life of a cluster", life],
    ["the life of a private cluster with managed identities", identityLife],
  ] as const)
    describe(`${title} is as recorded`, { timeout: 900_000 }, () => {
      for (const interaction of interactions) test(interaction.name, () => replay(interaction));
    });
}

async function replay(interaction: Recorded): Promise<void> {
  const { name, method, path, body, status, headers = {}, properties = {}, check } = interaction;
  if (name.endsWith("has ended")) await arm.settle(operation, undefined, { authorization });
  const response = await call(method, path(), body?.());
  operation = String(response.headers["azure-asyncoperation"] ?? operation);
  assert.equal(response.status, status, JSON.stringify(response.body));
  const isOwn = status !== 404;
  const contentType = isOwn ? "application/json" : "application/json; charset=utf-8";
  for (const [header, expected] of Object.entries({ ...armHeaders, "content-type": contentType }))
    assert.equal(response.headers[header], expected, header);
  for (const header of ["azure-asyncoperation", "location"] as const) {
    const expected = headers[header];
    if (expected) assert.match(String(response.headers[header]), expected);
    else assert.equal(response.headers[header], undefined, header);
  }
  if (isOwn && response.body !== undefined)
    assert.equal(response.text, `${JSON.stringify(response.body, null, 4)}\n`);
  for (const [at, expected] of Object.entries(properties))
    assertProperties(response.body, at.split("."), expected);
  check?.(response.body, response);
}
