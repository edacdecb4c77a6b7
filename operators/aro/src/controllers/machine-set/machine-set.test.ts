import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { numberAt } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import { condition, type TestCluster, type TestOperator, testServers } from "../../testing/index.ts";
import { machineSet } from "./controller.ts";
import { scalingOf } from "./plan.ts";

const { machineSets } = resources;
const set = (name: string, replicas?: number): KubeObject => ({
  apiVersion: "machine.openshift.io/v1beta1",
  kind: "MachineSet",
  metadata: { name },
  spec: replicas === undefined ? {} : { replicas },
});
const cases: readonly {
  readonly name: string;
  readonly sets: readonly KubeObject[];
  readonly shrunk?: string;
  readonly scaled: readonly [string, number] | undefined;
}[] = [
  { name: "no set", sets: [], scaled: undefined },
  { name: "two workers in two sets", sets: [set("id-a", 1), set("id-b", 1)], scaled: undefined },
  {
    name: "the one that shrank grows",
    sets: [set("id-a", 0), set("id-b", 0)],
    shrunk: "id-b",
    scaled: ["id-b", 2],
  },
  {
    name: "it is scaled up by the missing workers",
    sets: [set("id-a", 1), set("id-b", 0)],
    shrunk: "id-b",
    scaled: ["id-b", 1],
  },
  {
    name: "if the set was deleted, the first one is scaled",
    sets: [set("id-b", 0), set("id-a", 0)],
    shrunk: "id-c",
    scaled: ["id-a", 2],
  },
  {
    name: "no number of replicas is one",
    sets: [set("id-a"), set("id-b", 0)],
    shrunk: "id-b",
    scaled: ["id-b", 1],
  },
  { name: "a customer's set", sets: [set("id-a", 0), set("own", 0)], shrunk: "id-a", scaled: undefined },
];
for (const { name, sets, shrunk, scaled } of cases)
  test(`worker sets: ${name}`, () => {
    const found = scalingOf(sets, "id", shrunk);
    assert.deepEqual(found && [found.machineSet.metadata.name, found.replicas], scaled);
  });

for (const { name, start } of testServers) {
  describe(`worker sets on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    const namespace = "openshift-machine-api";
    const put = (setName: string, replicas: number) =>
      cluster.put(machineSets, {
        metadata: {
          name: setName,
          namespace,
          labels: { "machine.openshift.io/cluster-api-machine-role": "worker" },
        },
        spec: {
          replicas,
          selector: { matchLabels: { set: setName } },
          template: { metadata: { labels: { set: setName } }, spec: {} },
        },
      });
    const replicas = async (setName: string) =>
      numberAt(
        await cluster.api.get(machineSets, { namespace, name: setName }, cluster.signal),
        "spec",
        "replicas",
      );
    before(async () => {
      cluster = await start({ kinds: [machineSets] });
      for (const each of ["demo-x1x2x-1", "demo-x1x2x-2"]) await put(each, 1);
      operator = await cluster.start({ controllers: [machineSet] });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("acceptance 13: all sets at zero: one returns to two", async () => {
      await put("demo-x1x2x-1", 0);
      await cluster.eventually(async () => assert.equal(await replicas("demo-x1x2x-1"), 1));
      await put("demo-x1x2x-2", 0);
      await cluster.eventually(async () => assert.equal(await replicas("demo-x1x2x-2"), 1));
      await operator.quiet();
      assert.equal(await operator.metric("aro_operator_repairs_total"), 2);
    });

    test("acceptance 13: with a customer's set nothing is scaled, and a deleted set is not a failure", async () => {
      await put("customer", 0);
      await operator.quiet();
      await put("demo-x1x2x-1", 0);
      await put("demo-x1x2x-2", 0);
      await operator.quiet();
      assert.deepEqual([await replicas("demo-x1x2x-1"), await replicas("demo-x1x2x-2")], [0, 0]);
      await cluster.api.delete(machineSets, { namespace, name: "customer" }, cluster.signal);
      await cluster.eventually(async () =>
        assert.equal(((await replicas("demo-x1x2x-1")) ?? 0) + ((await replicas("demo-x1x2x-2")) ?? 0), 2),
      );
      assert.equal((await condition(cluster, "MachineSetControllerDegraded")).status, "False");
    });
  });
}
