import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type KubeObject, resources } from "@keelson/kube";
import { condition, type TestCluster, testServers } from "../../testing/index.ts";
import { machine } from "./controller.ts";
import { checkedFields, machineFaults } from "./judge-machines.ts";

const { machines, machineSets } = resources;
const namespace = "openshift-machine-api";
const roleLabel = "machine.openshift.io/cluster-api-machine-role";
const goodSpec = {
  apiVersion: "machine.openshift.io/v1beta1",
  kind: "AzureMachineProviderSpec",
  image: { publisher: "azureopenshift", offer: "aro4", sku: "aro_419", version: "1", resourceID: "" },
  osDisk: { diskSizeGB: 128 },
};
const machineOf = (name: string, role: string | undefined, value: unknown = goodSpec): KubeObject => ({
  apiVersion: "machine.openshift.io/v1beta1",
  kind: "Machine",
  metadata: { name, namespace, ...(role === undefined ? {} : { labels: { [roleLabel]: role } }) },
  spec: { providerSpec: value === undefined ? {} : { value } },
});
const masters = ["m0", "m1", "m2"].map((name) => machineOf(name, "master"));
const sets = [{ apiVersion: "", kind: "MachineSet", metadata: { name: "set" }, spec: { replicas: 1 } }];
const worker = (value: unknown) => [...masters, machineOf("w", "worker", value)];
const cases: readonly {
  readonly name: string;
  readonly of: readonly KubeObject[];
  readonly faults: readonly string[];
}[] = [
  { name: "all are valid", of: worker(goodSpec), faults: [] },
  {
    name: "the older API group",
    of: worker({ ...goodSpec, apiVersion: "azureproviderconfig.openshift.io/v1beta1" }),
    faults: [],
  },
  {
    name: "no label of a role",
    of: [...worker(goodSpec), machineOf("x", undefined)],
    faults: ["machine x: cluster-api-machine-role label not found"],
  },
  { name: "no provider spec", of: worker(null), faults: ["machine w: provider spec missing"] },
  {
    name: "a provider spec without a kind",
    of: worker("text"),
    faults: ["machine w: failed to read provider spec: it is not an object"],
  },
  {
    name: "another provider's spec",
    of: worker({ ...goodSpec, kind: "AWSMachineProviderConfig" }),
    faults: [
      'machine w: failed to read provider spec: no kind "AWSMachineProviderConfig" is registered for version "machine.openshift.io/v1beta1"',
    ],
  },
  {
    name: "a small disk, another image, an identity",
    of: worker({ ...goodSpec, osDisk: { diskSizeGB: 64 }, image: { offer: "other" }, managedIdentity: "id" }),
    faults: [
      "machine w: invalid disk size '64'",
      "machine w: invalid image '{ other    }'",
      "machine w: invalid managedIdentity 'id'",
    ],
  },
  {
    name: "too few of both",
    of: masters.slice(1),
    faults: [
      "invalid number of master machines 2, expected 3",
      "invalid number of worker machines 0, expected 1",
    ],
  },
];
for (const { name, of, faults } of cases)
  test(`machines: ${name}`, () => {
    assert.deepEqual(machineFaults(of.map(checkedFields), sets), faults);
  });

test("thousands of invalid machines produce a short message", () => {
  const many = Array.from({ length: 5_000 }, (_, index) => machineOf(`w${index}`, "worker", null));
  const faults = machineFaults([...masters, ...many], sets);
  assert.equal(faults.length, 52);
  assert.equal(faults[50], "and 4950 more");
});

for (const { name, start } of testServers) {
  describe(`the check of machines on ${name}`, () => {
    let cluster: TestCluster;
    before(async () => {
      cluster = await start({ kinds: [machines, machineSets] });
      for (const each of masters) await cluster.put(machines, each);
      await cluster.start({ controllers: [machine] });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("follows machines and their number", async () => {
      const says = (status: string, reason: string, message: string) =>
        cluster.eventually(async () =>
          assert.deepEqual(await condition(cluster, "MachineValid"), { status, reason, message }),
        );
      await says("True", "CheckDone", "All machines valid");
      await cluster.put(machines, machineOf("w0", "worker"));
      await says("False", "CheckFailed", "invalid number of worker machines 1, expected 0\n");
      const spec = { replicas: 1, selector: {}, template: {} };
      await cluster.put(machineSets, { metadata: { name: "set", namespace }, spec });
      await says("True", "CheckDone", "All machines valid");
    });
  });
}
