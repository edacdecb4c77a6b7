import assert from "node:assert/strict";
import { test } from "node:test";
import { type ClusterProperties, subnetsOf } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import type { ClusterEnvironment } from "../context/environment.ts";
import { memoryCluster } from "../testing/memory-cluster.ts";
import { clusterResource } from "./cluster-resource.ts";

const publicCloud = {
  armEndpoint: "https://management.azure.com",
  loginEndpoint: "https://login.microsoftonline.com",
  audience: "https://management.azure.com/",
};
const gateway = {
  subnetId: "/gateway",
  resourceGroup: "gateway",
  privateLinkServiceName: "gateway",
  privateLinkServiceId: "/links/gateway",
};
const registry = { resourceId: "/registries/arosvc", domain: "arosvc.azurecr.io" };
const ingress = (name: string, ip?: string) =>
  ({ name, visibility: "Public", ...(ip ? { ip } : {}) }) as const;

function contextWith(
  properties: Partial<ClusterProperties> = {},
  environment: Partial<ClusterEnvironment> = {},
): ClusterContext {
  const { context } = memoryCluster({ ingressProfiles: [ingress("default", "192.0.2.2")], ...properties });
  Object.assign(context.environment, environment);
  return context;
}

const specWith = (...change: Parameters<typeof contextWith>) =>
  clusterResource(contextWith(...change)).spec ?? {};

test("acceptance 1: the Cluster has the values of the document and of the service", () => {
  const context = contextWith(
    {
      storageSuffix: "abcdefghij",
      imageRegistryStorageAccountName: "imageregistryabcdefghij",
      apiserverProfile: { visibility: "Public", intIp: "10.0.0.4" },
      featureProfile: { gatewayEnabled: true },
      networkProfile: {
        podCidr: "10.128.0.0/14",
        serviceCidr: "172.30.0.0/16",
        gatewayPrivateEndpointIp: "10.0.0.9",
      } as ClusterProperties["networkProfile"],
      operatorFlags: { "aro.banner.enabled": "false" },
    },
    {
      azure: publicCloud,
      registry,
      network: { privateEndpointSubnetId: "/endpoints", serviceSubnetId: "/service", gateway },
      gatewayDomains: ["agent.example"],
      serviceDomain: "ARO.example.com",
      environmentType: "int",
    },
  );
  const resource = clusterResource(context);
  assert.equal(resource.metadata.name, "cluster");
  assert.deepEqual(resource.spec, {
    resourceId: context.cluster.id,
    clusterResourceGroupId: context.cluster.properties.clusterProfile.resourceGroupId,
    domain: "demo.eastus.example.org",
    acrDomain: "arosvc.azurecr.io",
    azEnvironment: "AzurePublicCloud",
    location: "eastus",
    infraId: "demo-x1x2x",
    architectureVersion: 1,
    storageSuffix: "abcdefghij",
    vnetId:
      "/subscriptions/11111111-1111-4111-8111-111111111111/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/vnet",
    apiIntIP: "10.0.0.4",
    ingressIP: "192.0.2.2",
    clusterSubnets: subnetsOf(context.cluster).map(({ id }) => id),
    serviceSubnets: ["/endpoints", "/service", "/gateway"],
    internetChecker: {
      urls: [
        "https://arosvc.azurecr.io/",
        "https://login.microsoftonline.com/",
        "https://management.azure.com/",
        "https://gcs.prod.monitoring.core.windows.net/",
      ],
    },
    gatewayPrivateEndpointIP: "10.0.0.9",
    gatewayTelemetryDomain: "telemetry.eastus.aro.example.com",
    gatewayDomains: [
      "agent.example",
      "login.microsoftonline.com",
      "management.azure.com",
      "arosvc.azurecr.io",
      "arosvc.eastus.data.azurecr.io",
      "imageregistryabcdefghij.blob.core.windows.net",
    ],
    operatorflags: { "aro.environment": "int", "aro.banner.enabled": "false" },
  });
});

test("what a cluster does not have is empty, so that an earlier value goes", () => {
  const spec = specWith();
  assert.deepEqual(
    [spec.acrDomain, spec.gatewayPrivateEndpointIP, spec.gatewayTelemetryDomain, spec.gatewayDomains],
    ["", "", "", []],
  );
  const network = { privateEndpointSubnetId: "/endpoints", serviceSubnetId: "/service", gateway };
  assert.deepEqual(specWith({}, { network }).serviceSubnets, ["/endpoints", "/service"]);
});

test("Azure Government has its own name and endpoints", () => {
  const azure = {
    armEndpoint: "https://management.usgovcloudapi.net",
    loginEndpoint: "https://login.microsoftonline.us",
    audience: "",
  };
  const { azEnvironment, internetChecker } = specWith({}, { azure });
  assert.equal(azEnvironment, "AzureUSGovernmentCloud");
  assert.deepEqual(internetChecker?.urls, [
    "https://login.microsoftonline.us/",
    "https://management.usgovcloudapi.net/",
    "https://gcs.monitoring.core.usgovcloudapi.net/",
  ]);
});

test("the registry is checked by its URL if that differs from its domain", () => {
  const urlsOf = (url: { readonly url?: string }) =>
    specWith({}, { azure: publicCloud, registry: { ...registry, ...url } }).internetChecker?.urls?.[0];
  assert.equal(urlsOf({}), "https://arosvc.azurecr.io/");
  assert.equal(urlsOf({ url: "https://localhost:8444/" }), "https://localhost:8444/");
});

test("URLs that are the same are checked once", () => {
  const azure = {
    armEndpoint: "https://azure.example",
    loginEndpoint: "https://azure.example/",
    audience: "",
  };
  assert.deepEqual(specWith({}, { azure }).internetChecker?.urls, ["https://azure.example/"]);
});

test("a kind of environment that the document names stays", () => {
  const { operatorflags } = specWith({ operatorFlags: { "aro.environment": "mine" } });
  assert.deepEqual(operatorflags, { "aro.environment": "mine" });
});

const ingressCases = [
  { profiles: [ingress("a", "192.0.2.1"), ingress("default", "192.0.2.2")], ip: "192.0.2.2" },
  { profiles: [ingress("a", "192.0.2.1"), ingress("b", "192.0.2.2")], ip: "192.0.2.1" },
  { profiles: [], error: "no Ingress Profiles found" },
  { profiles: [ingress("default")], error: "ingress IP is empty" },
];
for (const { profiles, ip, error } of ingressCases) {
  test(`of the ingresses ${profiles.map(({ name }) => name).join(", ")}: ${ip ?? error}`, () => {
    const properties = { ingressProfiles: profiles };
    if (error === undefined) assert.equal(specWith(properties).ingressIP, ip);
    else assert.throws(() => specWith(properties), new Error(error));
  });
}

test("a subnet ID of a wrong length is rejected with its value", () => {
  const masterProfile = { vmSize: "Standard_D8s_v3", subnetId: "/subscriptions/a/subnets/b" };
  const error = new Error('subnet ID "/subscriptions/a/subnets/b" has incorrect length');
  assert.throws(() => specWith({ masterProfile }), error);
});
