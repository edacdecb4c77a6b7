import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { resources } from "@keelson/kube";
import {
  provesRepair,
  putClusterHistory,
  type TestCluster,
  type TestOperator,
  testServers,
} from "../../testing/index.ts";
import { networkPolicy } from "./controller.ts";

const { adminNetworkPolicies, clusterVersions } = resources;
const key = { name: "aro-cco-deny-pprof" };

for (const { name, start } of testServers) {
  describe(`the policy against profiles on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    const found = () => cluster.api.find(adminNetworkPolicies, key, cluster.signal);
    before(async () => {
      cluster = await start({ kinds: [adminNetworkPolicies, clusterVersions] });
      await putClusterHistory(cluster, { version: "4.16.61", state: "Completed" });
      operator = await cluster.start({ controllers: [networkPolicy] });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("it is created by the update to 4.17, not before", async () => {
      await operator.quiet();
      assert.equal(await found(), undefined);
      await putClusterHistory(
        cluster,
        { version: "4.17.53", state: "Completed" },
        { version: "4.16.61", state: "Completed" },
      );
      await cluster.eventually(async () => assert.ok(await found()));
    });

    test("it is repaired immediately", async () => {
      await provesRepair(cluster, operator, {
        resource: adminNetworkPolicies,
        key,
        edit: { spec: { priority: 99 } },
      });
    });

    test("it is deleted when its flag is switched off", async () => {
      await cluster.configure({ operatorflags: { "aro.ccopprof.enabled": "false" } });
      await cluster.eventually(async () => assert.equal(await found(), undefined));
    });
  });
}
