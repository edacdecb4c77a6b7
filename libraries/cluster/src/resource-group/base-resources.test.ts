/** Uses the simulated Azure to test the creation of the resources that precede the machines of a cluster. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { CloudError } from "@keelson/arm";
import { azureErrorCode, isNotFound } from "@keelson/azure";
import { createCertificateAuthority, Secret } from "@keelson/base";
import { type ClusterProperties, withProperties } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import type { ClusterContext } from "../context/context.ts";
import type { ServiceNetwork } from "../context/environment.ts";
import { clusterSPObjectID } from "../credentials/service-principal.ts";
import {
  createOrUpdateClusterServicePrincipalRBAC,
  deleteOwnRoleDefinitions,
} from "../identity/role-assignments.ts";
import { ensureStorageSuffix } from "../install/identifiers.ts";
import { loadInstallState, persistGraph, withoutInstallState } from "../install/install-state.ts";
import { reconcileLoadBalancerProfile } from "../load-balancer/outbound-rule.ts";
import { ensureResourceGroup } from "../managed-group/resource-group.ts";
import { serviceNetwork } from "../network/service-network.ts";
import {
  ensureServiceEndpoints,
  setMasterSubnetPolicies,
  withServiceEndpoints,
} from "../network/subnet-policies.ts";
import { ensureGatewayCreate } from "../private-link/gateway.ts";
import { createAPIServerPrivateEndpoint, deletePrivateEndpoint } from "../private-link/private-endpoint.ts";
import { deleteLevel, deleteResourceGroup } from "../removal/delete-resources.ts";
import { clusterContainer, removeBootstrapIgnition } from "../storage/cluster-storage.ts";
import { migrateStorageAccounts } from "../storage/storage-accounts.ts";
import { contextOf } from "../testing/context.ts";
import { signal } from "../testing/store.ts";
import { location, networkGroup, serviceGroup, startWorld, type World } from "../testing/world.ts";
import { deployBaseResourceTemplate } from "./base-resources.ts";
import { createOrUpdateDenyAssignment } from "./deny-assignment.ts";

let world: World;
let subnets = 0;
before(async () => {
  world = await startWorld();
});
after(() => world[Symbol.asyncDispose]());

async function deployed(
  name: string,
  properties: Partial<ClusterProperties> = {},
  network: ServiceNetwork = world.environment.network,
): Promise<ClusterContext> {
  const [principal] = world.clusterPrincipals;
  assert.ok(principal);
  const base = newCluster({
    name,
    subscriptionId: world.subscriptionId,
    principal,
    masterSubnetId: await world.subnet(`${name}-master`, `10.2.${subnets++}.0/24`),
    workerSubnetId: await world.subnet(`${name}-worker`, `10.2.${subnets++}.0/24`),
  });
  const made = { infraId: `${name}-x1x2x`, zones: ["1", "2", "3"], ...properties };
  const there = { ...world, environment: { ...world.environment, network } };
  const context = contextOf(there, withProperties(base, made));
  await clusterSPObjectID(context);
  await ensureStorageSuffix(context);
  await ensureResourceGroup(context);
  await ensureServiceEndpoints(context);
  await setMasterSubnetPolicies(context);
  await deployBaseResourceTemplate(context);
  return context;
}

async function objects({ cluster }: ClusterContext): Promise<readonly string[]> {
  const { storageSuffix = "" } = cluster.properties;
  const { resources } = world.azure.resources;
  const listed = resources.listByResourceGroup(`aro-${cluster.name}`, world.azure.call(signal));
  const names = await Array.fromAsync(listed, ({ type = "", name = "" }) => `${type.split("/")[1]} ${name}`);
  const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
  return names.map((each) => each.replace(storageSuffix, "SUFFIX").replace(uuid, "UUID")).sort();
}

test("a public cluster has exactly these objects, however often they are deployed", async () => {
  const context = await deployed("public", {
    networkProfile: {
      podCidr: "10.128.0.0/14",
      serviceCidr: "172.30.0.0/16",
      outboundType: "Loadbalancer",
      loadBalancerProfile: { managedOutboundIps: { count: 2 } },
    },
  });
  const wanted = [
    "loadBalancers public-x1x2x",
    "loadBalancers public-x1x2x-internal",
    "networkSecurityGroups public-x1x2x-nsg",
    "privateLinkServices public-x1x2x-pls",
    "publicIPAddresses UUID-outbound-pip-v4",
    "publicIPAddresses public-x1x2x-default-v4",
    "publicIPAddresses public-x1x2x-pip-v4",
    "storageAccounts clusterSUFFIX",
    "storageAccounts imageregistrySUFFIX",
  ];
  assert.deepEqual(await objects(context), wanted);
  await deployBaseResourceTemplate(context);
  await migrateStorageAccounts(context);
  assert.deepEqual(await objects(context), wanted);
  const { deployments } = world.azure;
  const { properties } = await deployments.get("aro-public", "storage", world.azure.call(signal));
  assert.equal(properties?.provisioningState, "Succeeded");
});

test("after unavailable outbound addresses, the present ones stay and unused ones are removed", async () => {
  const context = await deployed("outbound");
  const ask = (count: number) =>
    context.update((cluster) => {
      const { networkProfile } = cluster.properties;
      const loadBalancerProfile = { ...networkProfile.loadBalancerProfile, managedOutboundIps: { count } };
      return withProperties(cluster, { networkProfile: { ...networkProfile, loadBalancerProfile } });
    });
  const effective = () => {
    const { effectiveOutboundIps = [] } = context.cluster.properties.networkProfile.loadBalancerProfile ?? {};
    return effectiveOutboundIps.length;
  };
  const before = await objects(context);
  await context.update((cluster) => {
    const { networkProfile } = cluster.properties;
    const loadBalancerProfile = { effectiveOutboundIps: [] };
    return withProperties(cluster, { networkProfile: { ...networkProfile, loadBalancerProfile } });
  });
  await ask(4);
  const type = "Microsoft.Network/publicIPAddresses";
  world.simulatedAzure.change({ faults: { full: { kind: "quota-exceeded", type, skip: 1 } } });
  await assert.rejects(
    reconcileLoadBalancerProfile(context),
    (error) => azureErrorCode(error) === "QuotaExceeded",
  );
  world.simulatedAzure.change({ faults: null });
  assert.deepEqual([effective(), await objects(context)], [1, before]);
  await reconcileLoadBalancerProfile(context);
  const three = Array.from({ length: 3 }, () => "publicIPAddresses UUID-outbound-pip-v4");
  assert.deepEqual([effective(), await objects(context)], [4, [...before, ...three].sort()]);
  await ask(1);
  await reconcileLoadBalancerProfile(context);
  assert.deepEqual([effective(), await objects(context)], [1, before]);
});

test("a private cluster with its own routes has no public address", async () => {
  const context = await deployed("private", {
    networkProfile: {
      podCidr: "10.128.0.0/14",
      serviceCidr: "172.30.0.0/16",
      outboundType: "UserDefinedRouting",
    },
    apiserverProfile: { visibility: "Private" },
    ingressProfiles: [{ name: "default", visibility: "Private" }],
  });
  assert.deepEqual(await objects(context), [
    "loadBalancers private-x1x2x-internal",
    "networkSecurityGroups private-x1x2x-nsg",
    "privateLinkServices private-x1x2x-pls",
    "storageAccounts clusterSUFFIX",
    "storageAccounts imageregistrySUFFIX",
  ]);
  const group = await world.azure.network.networkSecurityGroups.get(
    "aro-private",
    "private-x1x2x-nsg",
    world.azure.call(signal),
  );
  assert.deepEqual(group.securityRules, []);
});

test("storage accounts are closed but to the cluster and the service, and their containers are there", async () => {
  const { cluster } = await deployed("stored");
  const { storageAccounts, blobContainers } = world.azure.storage;
  const { storageSuffix, imageRegistryStorageAccountName: registry = "" } = cluster.properties;
  const options = world.azure.call(signal);
  const account = await storageAccounts.getProperties("aro-stored", `cluster${storageSuffix}`, options);
  assert.equal(account.networkRuleSet?.defaultAction, "Deny");
  assert.deepEqual(
    account.networkRuleSet?.virtualNetworkRules?.map(({ virtualNetworkResourceId: id = "" }) =>
      id.slice(id.lastIndexOf("/") + 1),
    ),
    ["rp-pe-subnet", "rp-subnet", "stored-master", "stored-worker"],
  );
  const containers = async (name: string) =>
    Array.fromAsync(blobContainers.list("aro-stored", name, options), (each) => each.name);
  assert.deepEqual((await containers(`cluster${storageSuffix}`)).sort(), ["aro", "ignition"]);
  assert.deepEqual(await containers(registry), ["image-registry"]);
});

test("only the cluster and the service may change its group, and a new principal of the cluster replaces the old one", async () => {
  const context = await deployed("guarded");
  const [own, other] = world.clusterPrincipals;
  assert.ok(own && other);
  const tagged = (principal: typeof own) => {
    const azure = context.azureAs(principal);
    const tags = { by: principal.clientId };
    return azure.network.networkSecurityGroups.updateTags(
      "aro-guarded",
      "guarded-x1x2x-nsg",
      { tags },
      azure.call(signal),
    );
  };
  await tagged(own);
  const isDenied = (error: unknown) => azureErrorCode(error) === "DenyAssignmentAuthorizationFailed";
  await assert.rejects(tagged(other), isDenied);
  const { servicePrincipalProfile } = context.cluster.properties;
  assert.ok(servicePrincipalProfile);
  const { clientId, clientSecret } = other;
  await context.update((cluster) =>
    withProperties(cluster, {
      servicePrincipalProfile: { ...servicePrincipalProfile, clientId, clientSecret },
    }),
  );
  await clusterSPObjectID(context);
  await createOrUpdateClusterServicePrincipalRBAC(context);
  await createOrUpdateDenyAssignment(context);
  await tagged(other);
  await assert.rejects(tagged(own), isDenied);
  const { roleAssignments } = world.azure.authorization;
  const assigned = roleAssignments.listForResourceGroup("aro-guarded", world.azure.call(signal));
  const all = await Array.fromAsync(assigned);
  const here = all.filter(({ scope = "" }) => scope.toLowerCase().endsWith("/aro-guarded"));
  const principals = here.map(({ principalId }) => principalId);
  assert.deepEqual(principals, [context.cluster.properties.servicePrincipalProfile?.spObjectId]);
});

test("the cluster's subnets reach storage, and the masters' takes private links", async () => {
  await deployed("linked");
  const { subnets: all } = world.azure.network;
  const master = await all.get(networkGroup, "vnet", "linked-master", world.azure.call(signal));
  const services = master.serviceEndpoints?.map(({ service }) => service);
  assert.deepEqual(services, ["Microsoft.ContainerRegistry", "Microsoft.Storage"]);
  assert.equal(master.privateEndpointNetworkPolicies, "Disabled");
  assert.equal(master.privateLinkServiceNetworkPolicies, "Disabled");
  const worker = await all.get(networkGroup, "vnet", "linked-worker", world.azure.call(signal));
  assert.equal(worker.privateLinkServiceNetworkPolicies, "Enabled");
});

test("the service reaches the API server by a private endpoint during the cluster's lifetime", async () => {
  const context = await deployed("reached");
  await createAPIServerPrivateEndpoint(context);
  await createAPIServerPrivateEndpoint(context);
  const address = context.cluster.properties.networkProfile.privateEndpointIp;
  assert.match(address ?? "", /^10\.128\.0\.\d+$/);
  const { privateEndpoints, privateLinkServices } = world.azure.network;
  const options = world.azure.call(signal);
  const service = await privateLinkServices.get("aro-reached", "reached-x1x2x-pls", options);
  assert.deepEqual(
    service.privateEndpointConnections?.map((each) => each.privateLinkServiceConnectionState?.status),
    ["Approved"],
  );
  const name = `rp-pe-${context.documentId}`;
  assert.ok(await privateEndpoints.get(serviceGroup, name, options));
  await deletePrivateEndpoint(context);
  await deletePrivateEndpoint(context);
  await assert.rejects(privateEndpoints.get(serviceGroup, name, options), isNotFound);
});

test("the cluster reaches the service's gateway, which knows it by its link", async () => {
  const network = await withGateway();
  const made = await deployed("gated", {}, network);
  const links: string[] = [];
  const context: ClusterContext = {
    ...made,
    get cluster() {
      return made.cluster;
    },
    gateway: { ...made.gateway, ensure: async (linkId) => void links.push(linkId) },
  };
  // The creation of the gateway record fails in this context. The cluster's document must already contain the link's identifier
  // at this time, because a deletion needs the identifier to find the record.
  const cutOff: ClusterContext = {
    ...context,
    gateway: { ...made.gateway, ensure: () => Promise.reject(new Error("cut off")) },
  };
  await assert.rejects(ensureGatewayCreate(cutOff), /cut off/);
  assert.ok(context.cluster.properties.networkProfile.gatewayPrivateLinkId);
  await ensureGatewayCreate(context);
  await ensureGatewayCreate(context);
  const { networkProfile, masterProfile } = context.cluster.properties;
  const subnet = masterProfile.subnetId.slice(masterProfile.subnetId.lastIndexOf("/") + 1);
  const { addressPrefix = "" } = await world.azure.network.subnets.get(
    networkGroup,
    "vnet",
    subnet,
    world.azure.call(signal),
  );
  assert.ok(networkProfile.gatewayPrivateEndpointIp?.startsWith(addressPrefix.replace(/0\/24$/, "")));
  assert.deepEqual(links, [networkProfile.gatewayPrivateLinkId]);
});

test("all of it is deleted level by level, and roles that only its group has with it", async () => {
  const context = await deployed("gone");
  await createAPIServerPrivateEndpoint(context);
  const scope = context.cluster.properties.clusterProfile.resourceGroupId;
  const { roleDefinitions } = world.azure.authorization;
  const options = world.azure.call(signal);
  const define = async (roleName: string, assignableScopes: string[]) => {
    const name = randomUUID();
    const permissions = [{ actions: ["*/read"] }];
    await roleDefinitions.createOrUpdate(scope, name, { roleName, assignableScopes, permissions }, options);
    return async () => {
      const listed = await Array.fromAsync(roleDefinitions.list(scope, options));
      return listed.some((each) => each.name === name);
    };
  };
  const ownIsThere = await define("Azure Red Hat OpenShift cluster gone", [scope]);
  const otherIsThere = await define("Readers of gone", [scope]);
  await deleteOwnRoleDefinitions(context);
  assert.deepEqual([await ownIsThere(), await otherIsThere()], [false, true]);

  await deleteLevel(-4)(context);
  await assert.rejects(deleteLevel(-3)(context), /private endpoint connection/i, "one is connected still");
  await deletePrivateEndpoint(context);
  for (const level of [-3, -2, -1, 0, 1]) await deleteLevel(level)(context);
  await deleteResourceGroup(context);
  await assert.rejects(world.azure.resources.resourceGroups.get("aro-gone", options), isNotFound);
  for (const level of [-4, 0, 1]) await deleteLevel(level)(context);
  await deleteResourceGroup(context);
});

test("a policy of the customer that forbids the subnet's change is named", async () => {
  const context = contextOf(
    world,
    newCluster({
      name: "forbidden",
      subscriptionId: world.subscriptionId,
      masterSubnetId: await world.subnet("forbidden-master", "10.3.0.0/24"),
    }),
  );
  const message =
    'Resource was disallowed by policy. Policy identifiers: [{"policyAssignment":{"policyAssignmentName":"ours"},"policyDefinition":{"policyDefinitionName":"no-links"}}]';
  const policy = {
    kind: "refused",
    type: "Microsoft.Network/virtualNetworks/*",
    verb: "write",
    status: 403,
    code: "RequestDisallowedByPolicy",
    message,
  } as const;
  world.simulatedAzure.change({ faults: { policy } });
  try {
    await assert.rejects(setMasterSubnetPolicies(context), (error) => {
      assert.ok(error instanceof CloudError);
      assert.deepEqual(error.body, {
        code: "RequestDisallowedByPolicy",
        message: "Resource forbidden-master was disallowed by policy.",
        details: [
          {
            code: "RequestDisallowedByPolicy",
            message: "Policy definition : no-links\nPolicy Assignment : ours",
          },
        ],
      });
      return true;
    });
  } finally {
    world.simulatedAzure.change({ faults: null });
  }
});

for (const { name, serviceEndpoints, wanted } of [
  { name: "none", serviceEndpoints: [], wanted: ["Microsoft.ContainerRegistry", "Microsoft.Storage"] },
  {
    name: "one that was never made to work",
    serviceEndpoints: [
      { service: "Microsoft.Sql" },
      { service: "microsoft.storage", provisioningState: "Failed" },
      { service: "Microsoft.ContainerRegistry", provisioningState: "Succeeded" },
    ],
    wanted: ["Microsoft.Sql", "Microsoft.ContainerRegistry", "Microsoft.Storage"],
  },
]) {
  test(`a subnet with ${name} gets the service endpoints that it lacks`, () => {
    const subnet = withServiceEndpoints({ serviceEndpoints });
    const services = subnet.serviceEndpoints?.map(({ service }) => service);
    assert.deepEqual(services, wanted);
    assert.equal(withServiceEndpoints(subnet), subnet);
  });
}

/** Creates a gateway in the same way as the service's own deployment. */
async function withGateway(): Promise<ServiceNetwork> {
  const { resources, network } = world.azure;
  const options = world.azure.call(signal);
  const made = serviceNetwork({
    subscriptionId: world.subscriptionId,
    resourceGroup: serviceGroup,
    gatewayResourceGroup: "gateway",
  });
  await resources.resourceGroups.createOrUpdate("gateway", { location }, options);
  const subnet = {
    name: "gateway-subnet",
    addressPrefix: "10.130.0.0/24",
    privateLinkServiceNetworkPolicies: "Disabled",
    serviceEndpoints: [{ service: "Microsoft.Storage", locations: ["*"] }],
  };
  const addressSpace = { addressPrefixes: [subnet.addressPrefix] };
  const vnet = { location, addressSpace, subnets: [subnet] };
  await network.virtualNetworks.createOrUpdate("gateway", "gateway-vnet", vnet, options);
  const frontends = [{ name: "frontend", subnet: { id: made.gateway?.subnetId ?? "" } }];
  const balancer = { location, sku: { name: "Standard" }, frontendIPConfigurations: frontends };
  const { id } = await network.loadBalancers.createOrUpdate("gateway", "gateway-lb", balancer, options);
  const service = {
    location,
    loadBalancerFrontendIpConfigurations: [{ id: `${id}/frontendIPConfigurations/frontend` }],
    ipConfigurations: [{ name: "nic", subnet: { id: made.gateway?.subnetId ?? "" } }],
  };
  await network.privateLinkServices.createOrUpdate("gateway", "gateway-pls-001", service, options);
  return made;
}

test("the graph in the cluster's storage account is sealed, for this cluster alone", async () => {
  const state = {
    clusterId: "c",
    kubeconfigSigner: await createCertificateAuthority("signer", 1),
    kubeadminPassword: "the password",
    apiServer: { url: "https://api.example.org:6443", internalUrl: "https://api-int.example.org:6443" },
  };
  const context = await deployed("graph", { installState: new Secret(JSON.stringify(state)) });
  await persistGraph(context);
  await context.update(withoutInstallState);
  assert.equal(context.cluster.properties.installState, undefined);
  const container = await clusterContainer(context, "aro");
  const blob = (await container?.find("graph", signal))?.toString("utf8") ?? "";
  assert.match(blob, /"sealed":"v1"/);
  assert.ok(!blob.includes("password"));
  assert.deepEqual(await loadInstallState(context), state);
  const other = { ...context, cluster: context.cluster, documentId: "another" };
  await assert.rejects(loadInstallState(other), /does not belong there/);
});

test("the graph that an installer has written itself is left alone", async () => {
  const context = await deployed("foreign", { installState: new Secret("{}") });
  const container = await clusterContainer(context, "aro");
  await container?.put("graph", Buffer.from([0xff, 0, 0x80]), "application/octet-stream", signal);
  await persistGraph(context);
  assert.equal(context.cluster.properties.installGraphKey, undefined);
  assert.deepEqual(await container?.find("graph", signal), Buffer.from([0xff, 0, 0x80]));
});

test("what the first machine booted from goes", async () => {
  const context = await deployed("booted");
  const put = async () => {
    const container = await clusterContainer(context, "ignition");
    return container?.put("bootstrap.ign", Buffer.from("{}"), "application/json", signal);
  };
  await put();
  await removeBootstrapIgnition(context);
  await removeBootstrapIgnition(context);
  await assert.rejects(put(), /ContainerNotFound|404/);
});
