import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { resources } from "@keelson/kube";
import { condition, type TestCluster, type TestOperator, testServers } from "../../testing/index.ts";
import { cpms } from "./controller.ts";

const { controlPlaneMachineSets } = resources;
const key = { namespace: "openshift-machine-api", name: "cluster" };
const labels = { "machine.openshift.io/cluster-api-cluster": "demo-x1x2x" };
const roles = {
  "machine.openshift.io/cluster-api-machine-role": "master",
  "machine.openshift.io/cluster-api-machine-type": "master",
};
const spec = (state: string) => ({
  state,
  replicas: 3,
  strategy: { type: "RollingUpdate" },
  selector: { matchLabels: { ...labels, ...roles } },
  template: {
    machineType: "machines_v1beta1_machine_openshift_io",
    machines_v1beta1_machine_openshift_io: {
      failureDomains: { platform: "Azure", azure: [{ zone: "1" }] },
      metadata: { labels: { ...labels, ...roles } },
      spec: { providerSpec: { value: { kind: "AzureMachineProviderSpec" } } },
    },
  },
});

for (const { name, start } of testServers) {
  describe(`ControlPlaneMachineSets on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    const found = () => cluster.api.find(controlPlaneMachineSets, key, cluster.signal);
    const put = (state: string) => cluster.put(controlPlaneMachineSets, { metadata: key, spec: spec(state) });
    before(async () => {
      cluster = await start({ kinds: [controlPlaneMachineSets] });
      operator = await cluster.start({ controllers: [cpms] });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("acceptance 20: an active one is deleted, an inactive or allowed one is not", async () => {
      await put("Inactive");
      await operator.quiet();
      assert.ok(await found());
      await cluster.api.mergePatch(
        controlPlaneMachineSets,
        key,
        { spec: { state: "Active" } },
        cluster.signal,
      );
      await cluster.eventually(async () => assert.equal(await found(), undefined));
      await cluster.configure({ operatorflags: { "aro.cpms.enabled": "true" } });
      await operator.quiet();
      await put("Active");
      await operator.quiet();
      assert.ok(await found());
      await cluster.configure({ operatorflags: { "aro.cpms.enabled": "false" } });
      await cluster.eventually(async () => assert.equal(await found(), undefined));
    });
  });

  test(`where ${name} does not serve the kind, nothing fails`, async () => {
    await using cluster = await start({ kinds: [] });
    await cluster.start({ controllers: [cpms] });
    await cluster.eventually(async () =>
      assert.equal((await condition(cluster, "CPMSControllerDegraded")).status, "False"),
    );
  });
}
