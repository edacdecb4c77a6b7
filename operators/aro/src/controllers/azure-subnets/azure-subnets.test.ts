import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { clusters } from "@keelson/aro-api";
import { type Clock, type JsonObject, listAt, stringAt, systemClock } from "@keelson/base";
import { resources } from "@keelson/kube";
import { location } from "@keelson/sim-azure/testing";
import {
  condition,
  networkInterfaceId,
  putMachineSet,
  putMaster,
  securityGroupId,
  startTestSubscription,
  subnetId,
  subscriptionSpec,
  type TestCluster,
  type TestOperator,
  type TestSubscription,
  testServers,
  vnetId,
} from "../../testing/index.ts";
import { azureSubnets } from "./controller.ts";

const annotation = "aro.openshift.io/lastSubnetReconcileTimestamp";
const kinds = [resources.machines, resources.machineSets];
const right = securityGroupId("demo-x1x2x-nsg");
const foreign = securityGroupId("foreign-nsg");

for (const { name, start } of testServers) {
  describe(`the subnets on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    let subscription: TestSubscription;
    const degraded = () => condition(cluster, "AzureSubnetsControllerDegraded");
    const groupOf = async (subnet: string) =>
      stringAt(await subscription.get(subnetId(subnet)), "properties", "networkSecurityGroup", "id");
    const services = async (subnet: string) =>
      listAt(await subscription.get(subnetId(subnet)), "properties", "serviceEndpoints").map((each) =>
        stringAt(each, "service"),
      );
    const change = async (subnet: string, properties: JsonObject) => {
      const live = await subscription.get(subnetId(subnet));
      await subscription.put(subnetId(subnet), {
        ...live,
        properties: { ...(live.properties as JsonObject), ...properties },
      });
    };
    const touch = () =>
      cluster.api.mergePatch(
        resources.machineSets,
        { namespace: "openshift-machine-api", name: "workers" },
        { metadata: { annotations: { touched: `${performance.now()}` } } },
        cluster.signal,
      );
    const repairs = () =>
      operator.metric("aro_operator_repairs_total", { kind: "subnets", result: "success" });
    const stamp = async () =>
      (await cluster.api.get(clusters, { name: "cluster" }, cluster.signal)).metadata.annotations?.[
        annotation
      ];
    before(async () => {
      subscription = await startTestSubscription();
      cluster = await start({ kinds, spec: subscriptionSpec });
      await putMachineSet(cluster, "workers", "worker");
      await putMaster(cluster, "master-0", "master");
      await putMaster(cluster, "master-1", "MASTER");
      operator = await cluster.start({
        controllers: [azureSubnets],
        environment: subscription.environment,
      });
    });
    after(async () => {
      await cluster[Symbol.asyncDispose]();
      await subscription[Symbol.asyncDispose]();
    });

    test("missing service endpoints are added in one write", async () => {
      await cluster.eventually(async () => {
        for (const subnet of ["master", "worker"])
          assert.deepEqual(await services(subnet), ["Microsoft.ContainerRegistry", "Microsoft.Storage"]);
      });
      assert.equal(await stamp(), undefined, "no security group was reset");
      await operator.quiet();
      assert.equal(await repairs(), 2);
    });

    test("acceptance 15: a foreign security group is reset when a MachineSet is touched", async () => {
      const before = await repairs();
      await change("worker", { networkSecurityGroup: { id: foreign } });
      await touch();
      await cluster.eventually(async () => assert.equal(await groupOf("worker"), right));
      const at = await cluster.eventually(async () => (await stamp()) ?? assert.fail("no annotation"));
      assert.match(at, /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/);
      await operator.quiet();
      assert.equal(await repairs(), before + 1);
      const { items } = await cluster.api.list(resources.events, { namespace: "default" }, cluster.signal);
      const events = items.filter(({ message }) => `${message}`.includes("networkSecurityGroup"));
      assert.deepEqual(
        events.map(({ message, count }) => [message, count ?? 1]),
        [["AzureSubnets updated subnets worker: properties.networkSecurityGroup differed", 1]],
      );
    });

    test("acceptance 16: a removed storage endpoint is restored, but not with a gateway", async () => {
      const registry = { serviceEndpoints: [{ service: "Microsoft.ContainerRegistry", locations: ["*"] }] };
      await change("master", registry);
      await touch();
      await cluster.eventually(async () => {
        const live = await subscription.get(subnetId("master"));
        const storage = listAt(live, "properties", "serviceEndpoints").find(
          (each) => stringAt(each, "service") === "Microsoft.Storage",
        );
        assert.deepEqual(listAt(storage, "locations"), ["*"]);
      });
      await cluster.configure({ gatewayDomains: ["gateway.example.com"] });
      await change("master", registry);
      await change("worker", { networkSecurityGroup: { id: foreign } });
      await touch();
      await cluster.eventually(async () => assert.equal(await groupOf("worker"), right));
      await operator.quiet();
      assert.deepEqual(await services("master"), ["Microsoft.ContainerRegistry"]);
      await cluster.configure({ gatewayDomains: [] });
      await cluster.eventually(async () => assert.equal((await services("master")).length, 2));
    });

    test("each part has its flag", async () => {
      await cluster.configure({ operatorflags: { "aro.azuresubnets.nsg.managed": "false" } });
      await change("master", { networkSecurityGroup: { id: foreign }, serviceEndpoints: [] });
      await touch();
      await cluster.eventually(async () => assert.equal((await services("master")).length, 2));
      assert.equal(await groupOf("master"), foreign);
      await cluster.configure({ operatorflags: { "aro.azuresubnets.nsg.managed": "true" } });
      await cluster.eventually(async () => assert.equal(await groupOf("master"), right));
    });

    test("a provider spec without a resource group gets that of the cluster's network", async () => {
      await putMachineSet(cluster, "incomplete", "worker", { networkResourceGroup: "" });
      const key = { namespace: "openshift-machine-api", name: "incomplete" };
      await cluster.eventually(async () => {
        const { spec } = await cluster.api.get(resources.machineSets, key, cluster.signal);
        const value = ["template", "spec", "providerSpec", "value"];
        assert.equal(stringAt(spec, ...value, "networkResourceGroup"), "customer");
        assert.equal(stringAt(spec, ...value, "subnet"), "worker", "the rest stays");
      });
      assert.equal((await degraded()).status, "False");
    });

    test("a provider spec for a different network is Degraded in one report and does not block other repairs", async () => {
      await putMachineSet(cluster, "hostile", "../../../../x", { networkResourceGroup: "customer" });
      await cluster.put(resources.machineSets, {
        metadata: { name: "empty", namespace: "openshift-machine-api" },
        spec: { selector: {}, template: { spec: { providerSpec: {} } } },
      });
      await cluster.eventually(async () =>
        assert.deepEqual(await degraded(), {
          status: "True",
          reason: "ReconcileFailed",
          message:
            "machineset empty: provider spec names no subnet\nmachineset hostile: provider spec names no subnet",
        }),
      );
      await change("worker", { networkSecurityGroup: { id: foreign } });
      await touch();
      await cluster.eventually(async () => assert.equal(await groupOf("worker"), right));
      for (const name of ["empty", "hostile"])
        await cluster.api.delete(
          resources.machineSets,
          { namespace: "openshift-machine-api", name },
          cluster.signal,
        );
      await cluster.eventually(async () => assert.equal((await degraded()).status, "False"));
    });

    test("a subnet of a MachineSet is not changed until a machine of the cluster uses it", async () => {
      const victim = `${vnetId.replace(/virtualNetworks.*/, "networkSecurityGroups")}/victim-nsg`;
      await subscription.put(victim, { location });
      const properties = { addressPrefix: "10.0.9.0/24", networkSecurityGroup: { id: victim } };
      await subscription.put(subnetId("second-team"), { properties });
      await putMachineSet(cluster, "claim", "second-team");
      const refused =
        "subnet second-team is unchanged: it is not in the document of the cluster, and no network interface of the cluster uses it";
      await cluster.eventually(async () => assert.equal((await degraded()).message, refused));
      assert.deepEqual(await services("second-team"), []);
      const configuration = { name: "pipConfig", properties: { subnet: { id: subnetId("second-team") } } };
      await subscription.put(networkInterfaceId("claim-abcde-nic"), {
        location,
        properties: { ipConfigurations: [configuration] },
      });
      await touch();
      await cluster.eventually(async () => assert.equal((await services("second-team")).length, 2));
      assert.equal(await groupOf("second-team"), victim);
      const kept =
        "subnet second-team keeps the network security group victim-nsg, which is outside the resource group of the cluster";
      await cluster.eventually(async () => assert.equal((await degraded()).message, kept));
      const key = { namespace: "openshift-machine-api", name: "claim" };
      await cluster.api.delete(resources.machineSets, key, cluster.signal);
      await cluster.eventually(async () => assert.equal((await degraded()).status, "False"));
    });

    test("a missing subnet is skipped", async () => {
      await putMachineSet(cluster, "gone", "gone");
      await operator.quiet();
      assert.equal((await degraded()).status, "False");
    });

    test("a rejection by Azure is Degraded with Azure's message and repaired later", async () => {
      const { azure } = subscription;
      const fault = {
        kind: "refused",
        status: 403,
        code: "AuthorizationFailed",
        message: "Not you.",
      } as const;
      await change("worker", { networkSecurityGroup: { id: foreign } });
      azure.change({ faults: { no: { ...fault, clientId: subscription.principal.clientId } } });
      await touch();
      const message = ["gone", "worker", "master"]
        .map((subnet) => `cannot read subnets ${subnet}: AuthorizationFailed: Not you.`)
        .join("\n");
      await cluster.eventually(async () => assert.equal((await degraded()).message, message));
      azure.change({ faults: null });
      await cluster.eventually(async () => assert.equal(await groupOf("worker"), right));
      await cluster.eventually(async () => assert.equal((await degraded()).status, "False"));
    });

    test("a change in Azure is repaired in the next period", async () => {
      await operator[Symbol.asyncDispose]();
      // Shortens the 15-minute resync interval to 50 ms.
      const sleep: Clock["sleep"] = (ms, signal) => systemClock.sleep(ms > 600_000 ? 50 : ms, signal);
      operator = await cluster.start({
        controllers: [azureSubnets],
        environment: subscription.environment,
        clock: { ...systemClock, sleep },
      });
      await operator.quiet();
      await change("worker", { networkSecurityGroup: { id: foreign } });
      await cluster.eventually(async () => assert.equal(await groupOf("worker"), right));
    });

    test("an unknown architecture is Degraded and changes nothing", async () => {
      await cluster.configure({ architectureVersion: 7 });
      await cluster.eventually(async () =>
        assert.equal((await degraded()).message, "unknown architecture version 7"),
      );
      assert.equal(await groupOf("worker"), right);
    });
  });
}
