import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import {
  condition,
  provesRepair,
  type TestCluster,
  type TestOperator,
  testServers,
} from "../../testing/index.ts";
import { cloudProviderConfig } from "./controller.ts";

const { configMaps } = resources;
const key = { namespace: "openshift-config", name: "cloud-provider-config" };

for (const { name, start } of testServers) {
  describe(`the cloud provider's configuration on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    const degraded = () => condition(cluster, "CloudProviderConfigControllerDegraded");
    const live = () => cluster.api.get(configMaps, key, cluster.signal);
    const set = (config: string | null) =>
      cluster.api.mergePatch(configMaps, key, { data: { config } }, cluster.signal);
    const becomes = (config: string) =>
      cluster.eventually(async () => assert.equal(stringAt(await live(), "data", "config"), config));
    before(async () => {
      cluster = await start({ kinds: [] });
      await cluster.put(configMaps, {
        metadata: key,
        data: { config: '{"cloud":"AzurePublicCloud","disableOutboundSNAT":true}', "ca.pem": "kept" },
      });
      operator = await cluster.start({ controllers: [cloudProviderConfig] });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("is not written while it is right", async () => {
      await operator.quiet();
      assert.equal(await operator.metric("aro_operator_repairs_total"), 0);
    });

    test("is repaired", async () => {
      await provesRepair(cluster, operator, {
        resource: configMaps,
        key,
        edit: { data: { config: '{"cloud":"AzurePublicCloud","disableOutboundSNAT":false}' } },
        recreated: false,
      });
    });

    test("acceptance 25: disableOutboundSNAT becomes true, other fields are preserved", async () => {
      for (const value of ["false", "null"]) {
        await set(`{"invention":{"n":9007199254740993},"disableOutboundSNAT":${value},"vmType":"standard"}`);
        await becomes('{"invention":{"n":9007199254740993},"disableOutboundSNAT":true,"vmType":"standard"}');
      }
      assert.equal(stringAt(await live(), "data", "ca.pem"), "kept");
    });

    const faults = [
      ["field config in ConfigMap openshift-config/cloud-provider-config is missing", null],
      [
        "field config in ConfigMap openshift-config/cloud-provider-config is not a JSON object",
        "aadClientId: x",
      ],
    ] as const;
    for (const [message, config] of faults)
      test(`${message}: Degraded and not changed`, async () => {
        await set(config);
        await cluster.eventually(async () =>
          assert.deepEqual(await degraded(), { status: "True", reason: "ReconcileFailed", message }),
        );
        await operator.quiet();
        assert.equal(stringAt(await live(), "data", "config"), config ?? undefined);
        await set("{}");
        await becomes('{"disableOutboundSNAT":true}');
        await cluster.eventually(async () => assert.equal((await degraded()).status, "False"));
      });

    test("a missing object is named", async () => {
      await cluster.api.delete(configMaps, key, cluster.signal);
      await cluster.eventually(async () =>
        assert.equal(
          (await degraded()).message,
          "ConfigMap openshift-config/cloud-provider-config is missing",
        ),
      );
    });
  });
}
