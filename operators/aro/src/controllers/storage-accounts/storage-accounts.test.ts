import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { JsonObject } from "@keelson/base";
import { listAt, stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { location } from "@keelson/sim-azure/testing";
import {
  condition,
  putMachineSet,
  putMaster,
  startTestSubscription,
  subnetId,
  subscriptionSpec,
  type TestCluster,
  type TestOperator,
  type TestSubscription,
  testServers,
} from "../../testing/index.ts";
import { storageAccounts } from "./controller.ts";

const kinds = [resources.machines, resources.machineSets, resources.imageRegistryConfigs];
const accountId = (name: string) =>
  `${subscriptionSpec.clusterResourceGroupId}/providers/Microsoft.Storage/storageAccounts/${name}`;
const account = { location, kind: "StorageV2", sku: { name: "Standard_LRS" } };
const serviceSubnet = `/subscriptions/11111111-0000-4000-8000-000000000000/resourceGroups/rp/providers/Microsoft.Network/virtualNetworks/rp-vnet/subnets/rp-subnet`;

for (const { name, start } of testServers) {
  describe(`the storage accounts on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    let subscription: TestSubscription;
    const rules = async (name: string) => {
      const live = await subscription.get(accountId(name));
      return listAt(live, "properties", "networkAcls", "virtualNetworkRules")
        .map((rule) => stringAt(rule, "id"))
        .sort();
    };
    const repairs = () =>
      operator.metric("aro_operator_repairs_total", { kind: "storageAccounts", result: "success" });
    const lead = async (subnet: string, service: string) => {
      const live = await subscription.get(subnetId(subnet));
      const serviceEndpoints = [{ service, locations: ["*"] }];
      await subscription.put(subnetId(subnet), {
        ...live,
        properties: { ...(live.properties as JsonObject), serviceEndpoints },
      });
    };
    const registry = (accountName: string) =>
      cluster.put(resources.imageRegistryConfigs, {
        metadata: { name: "cluster" },
        spec: { managementState: "Managed", replicas: 1, storage: { azure: { accountName } } },
      });
    const degraded = () => condition(cluster, "StorageAccountsControllerDegraded");
    before(async () => {
      subscription = await startTestSubscription();
      await lead("master", "Microsoft.Storage");
      await lead("worker", "Microsoft.Sql");
      await subscription.put(accountId("clusterabc123"), account);
      await subscription.put(accountId("registry"), account);
      cluster = await start({ kinds, spec: { ...subscriptionSpec, serviceSubnets: [serviceSubnet] } });
      await putMachineSet(cluster, "workers", "worker");
      await putMachineSet(cluster, "gone", "gone");
      await putMaster(cluster, "master-0", "master");
      operator = await cluster.start({
        controllers: [storageAccounts],
        environment: subscription.environment,
      });
    });
    after(async () => {
      await cluster[Symbol.asyncDispose]();
      await subscription[Symbol.asyncDispose]();
    });

    test("a registry without an account in Azure is Degraded, and the cluster's own account is still maintained", async () => {
      const wanted = [serviceSubnet, subnetId("master")].sort();
      await cluster.eventually(async () => assert.deepEqual(await rules("clusterabc123"), wanted));
      await cluster.eventually(async () =>
        assert.equal((await degraded()).message, "azure storage field is nil in image registry config"),
      );
      assert.equal(await repairs(), 1);
    });

    test("the registry's account follows its configuration, in one write", async () => {
      await registry("registry");
      const wanted = [serviceSubnet, subnetId("master")].sort();
      await cluster.eventually(async () => assert.deepEqual(await rules("registry"), wanted));
      await cluster.eventually(async () => assert.equal((await degraded()).status, "False"));
      assert.equal(await repairs(), 2);
    });

    test("a new subnet for storage is added without removing rules", async () => {
      await lead("worker", "Microsoft.Storage");
      await cluster.configure({ serviceSubnets: [] });
      const wanted = [serviceSubnet, subnetId("master"), subnetId("worker")].sort();
      await cluster.eventually(async () => {
        for (const name of ["clusterabc123", "registry"]) assert.deepEqual(await rules(name), wanted);
      });
      await operator.quiet();
      assert.equal(await repairs(), 4);
    });

    test("a missing account is Degraded", async () => {
      await registry("nowhere");
      await cluster.eventually(async () =>
        assert.equal((await degraded()).message, "the storage account nowhere does not exist"),
      );
    });

    test("nothing is done while its flag is off", async () => {
      await cluster.configure({ operatorflags: { "aro.storageaccounts.enabled": "false" } });
      await subscription.put(accountId("registry2"), account);
      await registry("registry2");
      await operator.quiet();
      assert.deepEqual(await rules("registry2"), []);
    });
  });
}
