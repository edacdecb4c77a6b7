import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CloudError } from "@keelson/arm";
import { Secret } from "@keelson/base";
import type { OpenShiftCluster } from "@keelson/model";
import { explainStepError } from "../explain.ts";
import { contextOf } from "../testing/context.ts";
import { newCluster } from "../testing/documents.ts";
import { signal } from "../testing/store.ts";
import { location, networkGroup, startWorld, type World } from "../testing/world.ts";
import { withProperties } from "./identifiers.ts";
import { validateResources } from "./validate-resources.ts";

let world: World;
let good: OpenShiftCluster;
let tinyId: string;
let guardedId: string;
let groupId: string;

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
});
after(() => world[Symbol.asyncDispose]());

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

describe("the validation against Azure", () => {
  test("lets a good cluster pass", async () => {
    await validateResources(contextOf(world, good));
  });

  for (const { name, change, error } of cases) {
    test(`refuses ${name}`, async () => {
      const changed = change(good);
      await assert.rejects(validateResources(contextOf(world, changed)), (thrown) => {
        const explained = explainStepError(thrown, changed.properties.clusterProfile.resourceGroupId);
        assert.ok(explained instanceof CloudError, String(thrown));
        assert.deepEqual(explained.body, error(changed));
        return true;
      });
    });
  }
});
