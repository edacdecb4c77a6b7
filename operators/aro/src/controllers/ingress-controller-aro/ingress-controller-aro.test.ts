import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { numberAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { condition, type TestCluster, type TestOperator, testServers } from "../../testing/index.ts";
import { ingress } from "./controller.ts";

const { ingressControllers } = resources;
const key = { namespace: "openshift-ingress-operator", name: "default" };

for (const { name, start } of testServers) {
  describe(`the default ingress on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    const replicas = async () =>
      numberAt(await cluster.api.get(ingressControllers, key, cluster.signal), "spec", "replicas");
    const scale = (count: number | null) =>
      cluster.api.mergePatch(ingressControllers, key, { spec: { replicas: count } }, cluster.signal);
    before(async () => {
      cluster = await start({ kinds: [ingressControllers] });
      operator = await cluster.start({ controllers: [ingress] });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("a missing controller is reported and not created", async () => {
      await cluster.eventually(async () => {
        const { status, message } = await condition(cluster, "IngressControllerAROControllerDegraded");
        assert.deepEqual(
          [status, message],
          ["True", 'ingresscontrollers.operator.openshift.io "default" not found'],
        );
      });
      await cluster.put(ingressControllers, { metadata: key, spec: { domain: "apps.example.com" } });
      await cluster.eventually(async () =>
        assert.equal((await condition(cluster, "IngressControllerAROControllerDegraded")).status, "False"),
      );
    });

    test("acceptance 30: one replica becomes two in one immediate write, an unset count is not changed", async () => {
      await operator.quiet();
      assert.equal(await replicas(), undefined);
      for (const count of [1, 0]) {
        const before = await operator.metric("aro_operator_repairs_total");
        await scale(count);
        await cluster.eventually(async () => assert.equal(await replicas(), 2));
        await operator.quiet();
        assert.equal(await operator.metric("aro_operator_repairs_total"), before + 1);
      }
      await scale(3);
      await operator.quiet();
      assert.equal(await replicas(), 3);
      await scale(null);
      await operator.quiet();
      assert.equal(await replicas(), undefined);
    });

    test("replicas stay unchanged while the flag is off and are repaired once it is on", async () => {
      await cluster.configure({ operatorflags: { "aro.ingress.enabled": "false" } });
      await operator.quiet();
      await scale(1);
      await operator.quiet();
      assert.equal(await replicas(), 1);
      await cluster.configure({ operatorflags: { "aro.ingress.enabled": "True" } });
      await cluster.eventually(async () => assert.equal(await replicas(), 2));
    });
  });
}
