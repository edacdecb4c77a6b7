import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { CloudError } from "@keelson/arm";
import { Secret } from "@keelson/base";
import { type OpenShiftCluster, withProperties } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import { explainStepError } from "../explain.ts";
import { retryPolicy } from "../retry-policy.ts";
import { contextOf } from "../testing/context.ts";
import { assignRole, withRoles } from "../testing/roles.ts";
import { signal } from "../testing/store.ts";
import { location, networkGroup, startWorld, type World } from "../testing/world.ts";
import { validateResources } from "./validate-resources.ts";

const readerRole = "acdd72a7-3385-48ef-bd42-f606fba81ae7";
let world: World;
let good: OpenShiftCluster;
let tinyId: string;
let guardedId: string;
let groupId: string;
/** Cluster with subnets that have every kind of attached resource. Each attached resource requires permissions. */
let equipped: OpenShiftCluster;

before(async () => {
  world = await startWorld();
  const [principal] = world.clusterPrincipals;
  assert.ok(principal);
  good = newCluster({
    name: "demo",
    subscriptionId: world.subscriptionId,
    principal,
    masterSubnetId: await world.subnet("master", "10.0.0.0/24"),
    workerSubnetId: await world.subnet("worker", "10.0.1.0/24"),
  });
  tinyId = await world.subnet("tiny", "10.0.2.0/28");
  guardedId = await world.subnet("guarded", "10.0.3.0/24");
  const { azure } = world;
  const group = await azure.network.networkSecurityGroups.createOrUpdate(
    networkGroup,
    "foreign",
    { location },
    azure.call(signal),
  );
  groupId = group.id ?? "";
  await azure.network.subnets.createOrUpdate(
    networkGroup,
    "vnet",
    "guarded",
    { addressPrefix: "10.0.3.0/24", networkSecurityGroup: { id: groupId } },
    azure.call(signal),
  );
  equipped = await equip(good);
});
after(() => world[Symbol.asyncDispose]());

/** Adds a route table, a NAT gateway and a security group to the subnets. Adds a disk encryption set to the machines. */
async function equip(cluster: OpenShiftCluster): Promise<OpenShiftCluster> {
  const { network, compute, call } = world.azure;
  const [table, gateway] = await Promise.all([
    network.routeTables.createOrUpdate(networkGroup, "routes", { location }, call(signal)),
    network.natGateways.createOrUpdate(
      networkGroup,
      "gateway",
      { location, sku: { name: "Standard" } },
      call(signal),
    ),
    compute.diskEncryptionSets.createOrUpdate(
      networkGroup,
      "keys",
      { location, activeKey: { keyUrl: "https://vault.example/keys/k/1" } },
      call(signal),
    ),
  ]);
  const principalId = world.simulatedAzure.objectIdOf(servicePrincipalOf(cluster)) ?? "";
  await assignRole(world, principalId, {
    role: readerRole,
    scope: linked("Microsoft.Compute/diskEncryptionSets/keys"),
  });
  for (const [name, addressPrefix] of [
    ["equipped-master", "10.0.4.0/24"],
    ["equipped-worker", "10.0.5.0/24"],
  ] as const) {
    const subnet = {
      addressPrefix,
      networkSecurityGroup: { id: groupId },
      routeTable: { id: table.id ?? "" },
      natGateway: { id: gateway.id ?? "" },
    };
    await network.subnets.createOrUpdate(networkGroup, "vnet", name, subnet, call(signal));
  }
  const { networkProfile, workerProfiles } = cluster.properties;
  const master = sibling(masterOf(cluster), "vnet", "equipped-master");
  return withDiskKeys(
    withProperties(withMaster(cluster, master), {
      networkProfile: { ...networkProfile, preconfiguredNSG: "Enabled" },
      workerProfiles: workerProfiles.map((profile) => ({
        ...profile,
        subnetId: sibling(master, "vnet", "equipped-worker"),
      })),
    }),
    linked("Microsoft.Compute/diskEncryptionSets/keys"),
  );
}

const servicePrincipalOf = ({ properties }: OpenShiftCluster) =>
  properties.servicePrincipalProfile?.clientId ?? "";

const linked = (path: string) =>
  `/subscriptions/${world.subscriptionId}/resourceGroups/${networkGroup}/providers/${path}`;

function withDiskKeys(cluster: OpenShiftCluster, diskEncryptionSetId: string): OpenShiftCluster {
  const { masterProfile, workerProfiles } = cluster.properties;
  return withProperties(cluster, {
    masterProfile: { ...masterProfile, diskEncryptionSetId },
    workerProfiles: workerProfiles.map((profile) => ({ ...profile, diskEncryptionSetId })),
  });
}

const withMaster = (cluster: OpenShiftCluster, subnetId: string) =>
  withProperties(cluster, { masterProfile: { ...cluster.properties.masterProfile, subnetId } });
const withPods = (cluster: OpenShiftCluster, podCidr: string) =>
  withProperties(cluster, { networkProfile: { ...cluster.properties.networkProfile, podCidr } });
const sibling = (subnetId: string, network: string, name: string) =>
  subnetId.replace(/virtualNetworks\/[^/]+\/subnets\/[^/]+$/, `virtualNetworks/${network}/subnets/${name}`);
const masterOf = ({ properties }: OpenShiftCluster) => properties.masterProfile.subnetId;
const masterPath = "properties.masterProfile.subnetId";

const cases: readonly {
  readonly name: string;
  readonly change: (cluster: OpenShiftCluster) => OpenShiftCluster;
  readonly error: (changed: OpenShiftCluster) => {
    readonly code: string;
    readonly message: string;
    readonly target?: string;
  };
}[] = [
  {
    name: "a network that does not exist",
    change: (cluster) => withMaster(cluster, sibling(masterOf(cluster), "absent", "master")),
    error: (changed) => ({
      code: "InvalidLinkedVNet",
      message: `The vnet '${masterOf(changed).replace("/subnets/master", "")}' could not be found.`,
    }),
  },
  {
    name: "a subnet that does not exist",
    change: (cluster) => withMaster(cluster, sibling(masterOf(cluster), "vnet", "absent")),
    error: (changed) => ({
      code: "InvalidLinkedVNet",
      target: masterPath,
      message: `The provided subnet '${masterOf(changed)}' could not be found.`,
    }),
  },
  {
    name: "a network elsewhere",
    change: (cluster) => ({ ...cluster, location: "westeurope" }),
    error: () => ({
      code: "InvalidLinkedVNet",
      message: "The vnet location 'eastus' must match the cluster location 'westeurope'.",
    }),
  },
  {
    name: "pods in the masters' subnet",
    change: (cluster) => withPods(cluster, "10.0.0.0/16"),
    error: () => ({
      code: "InvalidLinkedVNet",
      message: "The provided CIDRs must not overlap: '10.0.0.0/16 overlaps with 10.0.0.0/24'.",
    }),
  },
  {
    name: "a subnet that is too small",
    change: (cluster) => withMaster(cluster, tinyId),
    error: () => ({
      code: "InvalidLinkedVNet",
      target: masterPath,
      message: `The provided subnet '${tinyId}' is invalid: must be /27 or larger.`,
    }),
  },
  {
    name: "a foreign network security group",
    change: (cluster) => withMaster(cluster, guardedId),
    error: () => ({
      code: "InvalidLinkedVNet",
      target: masterPath,
      message: `The provided subnet '${guardedId}' is invalid: must not have a network security group attached.`,
    }),
  },
  {
    name: "network security groups that were to be brought but are not there",
    change: (cluster) =>
      withProperties(cluster, {
        networkProfile: { ...cluster.properties.networkProfile, preconfiguredNSG: "Enabled" },
      }),
    error: () => ({
      code: "InvalidLinkedVNet",
      message:
        "When the enable-preconfigured-nsg option is specified, both the master and worker subnets should have network security groups (NSG) attached to them before starting the cluster installation.",
    }),
  },
  {
    name: "at an update, a subnet without the cluster's own group",
    change: (cluster) => withProperties(cluster, { provisioningState: "Updating", infraId: "demo-x1x2x" }),
    error: (changed) => ({
      code: "InvalidLinkedVNet",
      target: masterPath,
      message: `The provided subnet '${masterOf(changed)}' is invalid: must have network security group '${changed.properties.clusterProfile.resourceGroupId}/providers/Microsoft.Network/networkSecurityGroups/demo-x1x2x-nsg' attached.`,
    }),
  },
  {
    name: "a key for disks that does not exist",
    change: (cluster) => withDiskKeys(cluster, linked("Microsoft.Compute/diskEncryptionSets/absent")),
    error: () => ({
      code: "InvalidLinkedDiskEncryptionSet",
      target: "properties.masterProfile.diskEncryptionSetId",
      message: `The disk encryption set '${linked("Microsoft.Compute/diskEncryptionSets/absent")}' could not be found.`,
    }),
  },
  {
    name: "more public addresses than there are",
    change: (cluster) => withAddresses(cluster, 20),
    error: () => ({
      code: "ResourceQuotaExceeded",
      target: "properties.networkProfile.loadBalancerProfile.ManagedOutboundIPs.Count",
      message:
        "Resource quota of PublicIPAddresses exceeded. Maximum allowed: 20, Current in use: 0, Additional requested: 21.",
    }),
  },
  {
    name: "requested workers in a subnet which is too small",
    change: (cluster) =>
      withProperties(cluster, {
        workerProfiles: cluster.properties.workerProfiles.map((profile) => ({
          ...profile,
          subnetId: tinyId,
        })),
      }),
    error: () => ({
      code: "InvalidLinkedVNet",
      target: "properties.workerProfiles[0].subnetId",
      message: `The provided subnet '${tinyId}' is invalid: must be /27 or larger.`,
    }),
  },
  {
    name: "a wrong client secret",
    change: (cluster) => withSecret(cluster, "wrong"),
    error: () => ({
      code: "InvalidServicePrincipalCredentials",
      target: "properties.servicePrincipalProfile",
      message:
        "Authorization using provided credentials failed. Please ensure that the provided application (client) id and client secret value are correct.",
    }),
  },
];

function withSecret(cluster: OpenShiftCluster, secret: string): OpenShiftCluster {
  const profile = cluster.properties.servicePrincipalProfile;
  assert.ok(profile);
  return withProperties(cluster, {
    servicePrincipalProfile: { ...profile, clientSecret: new Secret(secret) },
  });
}

function withAddresses(cluster: OpenShiftCluster, count: number): OpenShiftCluster {
  const { networkProfile } = cluster.properties;
  const loadBalancerProfile = { managedOutboundIps: { count } };
  return withProperties(cluster, { networkProfile: { ...networkProfile, loadBalancerProfile } });
}

async function assertRefused(
  cluster: OpenShiftCluster,
  expected: { readonly code: string; readonly message: string; readonly target?: string },
): Promise<void> {
  await assert.rejects(validateResources(contextOf(world, cluster)), (thrown) => {
    const explained = explainStepError(thrown, cluster, "/none");
    assert.ok(explained instanceof CloudError, String(thrown));
    assert.deepEqual(explained.body, expected);
    return true;
  });
}

describe("the validation against Azure", () => {
  before(() => world.simulatedAzure.change({ quotas: { [location]: { PublicIPAddresses: 20 } } }));

  test("lets a good cluster pass", async () => {
    await validateResources(contextOf(world, good));
  });

  test("does not check what MachineSets stated at the end of the last operation", async () => {
    const [profile] = good.properties.workerProfiles;
    assert.ok(profile);
    const stated = [
      { ...profile, subnetId: tinyId, count: 0 },
      { ...profile, subnetId: sibling(profile.subnetId, "deleted", "deleted") },
      { ...profile, diskEncryptionSetId: linked("Microsoft.Compute/diskEncryptionSets/../../../x#") },
    ];
    for (const each of stated)
      await validateResources(contextOf(world, withProperties(good, { workerProfilesStatus: [each] })));
  });

  for (const { name, change, error } of cases) {
    test(`refuses ${name}`, async () => {
      const changed = change(good);
      await assertRefused(changed, error(changed));
    });
  }
});

test("a service principal that may change applications is refused", async () => {
  const clientId = good.properties.servicePrincipalProfile?.clientId ?? "";
  const roles = ["User.Read.All", "Application.ReadWrite.OwnedBy"];
  world.simulatedAzure.change({ graphRoles: { [clientId]: roles } });
  try {
    await assertRefused(good, {
      code: "InvalidServicePrincipalCredentials",
      target: "properties.servicePrincipalProfile",
      message: "The provided service principal must not have the Application.ReadWrite.OwnedBy permission.",
    });
    world.simulatedAzure.change({ graphRoles: { [clientId]: ["User.Read.All"] } });
    await validateResources(contextOf(world, good));
  } finally {
    world.simulatedAzure.change({ graphRoles: null });
  }
});

for (const [who, replaced, message] of [
  ["cluster", "azureAs", /^The token of the provided service principal has no oid claim/],
  [
    "service",
    "azure",
    /resource provider service principal has been removed from your tenant\. To restore, /,
  ],
] as const) {
  test(`a tenant without the service principal of the ${who} is reported`, async () => {
    const context = contextOf(world, good);
    const nameless = `e30.${Buffer.from('{"appid":"app"}').toString("base64url")}.`;
    const azure = { ...context.azure, getToken: async () => nameless };
    const changed = { ...context, [replaced]: replaced === "azure" ? azure : () => azure };
    await assert.rejects(validateResources(changed), (error) => {
      assert.ok(error instanceof CloudError, `${error}`);
      assert.equal(error.body.code, "InvalidServicePrincipalClaims");
      assert.match(error.message, message);
      return true;
    });
  });
}

describe("a missing right", () => {
  const roles = {
    cluster: "InvalidServicePrincipalPermissions",
    service: "InvalidResourceProviderPermissions",
  };
  const names = { cluster: "cluster service principal", service: "resource provider service principal" };

  /** Runs `act` while the principal `who` is not allowed to perform `action`. */
  async function without(who: "cluster" | "service", action: string, act: () => Promise<void>) {
    const scope = `/subscriptions/${world.subscriptionId}`;
    const { roleDefinitions } = world.operator.authorization;
    const { id: role = "" } = await roleDefinitions.createOrUpdate(scope, randomUUID(), {
      roleName: randomUUID(),
      permissions: [{ actions: ["*"], notActions: [action] }],
      assignableScopes: [scope],
    });
    const principalId = world.simulatedAzure.objectIdOf(applicationId(who)) ?? "";
    await withRoles(world, principalId, [{ role, scope }], act);
  }

  const applicationId = (who: "cluster" | "service") =>
    who === "service" ? world.service.clientId : servicePrincipalOf(good);

  const objects = [
    {
      label: "vnet",
      action: "Microsoft.Network/virtualNetworks/read",
      path: "Microsoft.Network/virtualNetworks/vnet",
    },
    {
      label: "subnet",
      action: "Microsoft.Network/virtualNetworks/subnets/join/action",
      path: "Microsoft.Network/virtualNetworks/vnet/subnets/equipped-master",
    },
    {
      label: "route table",
      action: "Microsoft.Network/routeTables/read",
      path: "Microsoft.Network/routeTables/routes",
    },
    {
      label: "nat gateway",
      action: "Microsoft.Network/natGateways/join/action",
      path: "Microsoft.Network/natGateways/gateway",
    },
    {
      label: "network security group",
      action: "Microsoft.Network/networkSecurityGroups/join/action",
      path: "Microsoft.Network/networkSecurityGroups/foreign",
      reason: " This is required when the enable-preconfigured-nsg option is specified.",
    },
  ];
  for (const who of ["cluster", "service"] as const) {
    for (const { label, action, path, reason = "" } of objects) {
      test(`of the ${who} on a ${label} is reported`, async () => {
        await without(who, action, () =>
          assertRefused(equipped, {
            code: roles[who],
            message: `The ${names[who]} (Application ID: ${applicationId(who)}) does not have required permissions on ${label} '${linked(path)}'.${reason}`,
          }),
        );
      });
    }

    test(`of the ${who} on a disk encryption set is reported`, async () => {
      await without(who, "Microsoft.Compute/diskEncryptionSets/read", () =>
        assertRefused(equipped, {
          code: roles[who],
          target: "properties.masterProfile.diskEncryptionSetId",
          message: `The ${names[who]} does not have Reader permission on disk encryption set '${linked("Microsoft.Compute/diskEncryptionSets/keys")}'.`,
        }),
      );
    });
  }

  test("is waited for as long as rights take to spread", async () => {
    const policy = retryPolicy({ authorizationRetry: { everyMs: 30_000, forMs: 600_000 } });
    await without("cluster", "Microsoft.Network/virtualNetworks/write", async () => {
      await assert.rejects(validateResources(contextOf(world, equipped)), (thrown) => {
        const early = policy(thrown, { attempt: 1, elapsedMs: 599_999 });
        assert.deepEqual(early, { kind: "retry", afterMs: 30_000, unlimited: true });
        assert.equal(policy(thrown, { attempt: 20, elapsedMs: 600_000 }).kind, "stop");
        return true;
      });
    });
  });

  test("that the service needs nowhere does not matter", async () => {
    for (const action of [
      "Microsoft.Network/virtualNetworks/write",
      "Microsoft.Network/routeTables/write",
      "Microsoft.Network/natGateways/read",
    ]) {
      await without("service", action, () => validateResources(contextOf(world, equipped)));
    }
  });
});
