import assert from "node:assert/strict";
import { test } from "node:test";
import type { Cache } from "@keelson/controller";
import type { KubeObject } from "@keelson/kube";
import { clusterSubnets, missingGroup } from "./cluster-subnets.ts";

const vnetId = "/subscriptions/s/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/vnet";
const cluster = {
  apiVersion: "aro.openshift.io/v1alpha1",
  kind: "Cluster",
  metadata: { name: "cluster" },
  spec: { resourceId: "/subscriptions/s/resourceGroups/g/providers/p/openShiftClusters/demo", vnetId },
};

function machine(kind: "Machine" | "MachineSet", name: string, value: unknown): KubeObject {
  const spec = { providerSpec: { value } };
  const whole = kind === "MachineSet" ? { template: { spec } } : spec;
  return { apiVersion: "machine.openshift.io/v1beta1", kind, metadata: { name }, spec: whole };
}
const set = (name: string, value: unknown) => machine("MachineSet", name, value);
const master = (name: string, value: unknown) => machine("Machine", name, value);
const at = (subnet: unknown, more: object = {}) => ({
  networkResourceGroup: "net",
  vnet: "vnet",
  subnet,
  ...more,
});

/** Returns a fake cache. `clusterSubnets` calls only `list`. */
function cacheOf(objects: readonly KubeObject[]): Cache {
  const informer = ({ kind }: { readonly kind: string }) => ({
    list: () => objects.filter((each) => each.kind === kind),
  });
  return { informer } as unknown as Cache;
}

const found = (...objects: readonly KubeObject[]) => {
  const { subnets, faults } = clusterSubnets(cluster, cacheOf(objects));
  return { subnets: subnets.map(({ id, role }) => [id.replace(vnetId, ""), role]), faults };
};

test("subnets of workers come first, each once, and a shared subnet counts as the workers'", () => {
  const result = found(
    master("m0", at("Shared")),
    master("m1", at("masters")),
    set("b", at("b")),
    set("a", at("shared")),
  );
  assert.deepEqual(result, {
    subnets: [
      ["/subnets/shared", "worker"],
      ["/subnets/b", "worker"],
      ["/subnets/masters", "master"],
    ],
    faults: [],
  });
});

for (const [name, value] of [
  ["nil", null],
  ["a text", "vnet"],
  ["no subnet", at(undefined)],
  ["a subnet that is a number", at(7)],
  ["a subnet that leads elsewhere", at("..")],
  ["a query", at("a?b")],
  ["another network without its group", at("a", { networkResourceGroup: "", vnet: "other" })],
] as const) {
  test(`a provider spec that is ${name} is a fault of this subnet only`, () => {
    assert.deepEqual(found(set("bad", value), set("good", at("a"))), {
      subnets: [["/subnets/a", "worker"]],
      faults: ["machineset bad: provider spec names no subnet"],
    });
  });
}

test("a missing resource group is that of the cluster's network", () => {
  const incomplete = set("a", at("a", { networkResourceGroup: undefined, vnet: "VNET" }));
  assert.equal(missingGroup(incomplete, vnetId), "net");
  assert.equal(missingGroup(set("a", at("a")), vnetId), undefined);
  assert.deepEqual(found(incomplete).subnets.length, 1);
});

test("the number of worker subnets is limited, masters' subnets are always included", () => {
  const many = Array.from({ length: 5_000 }, (_, index) => set(`s${index}`, at(`s${index}`)));
  const { subnets, faults } = found(...many, master("m", at("masters")));
  assert.equal(subnets.length, 101);
  assert.deepEqual(subnets.at(-1), ["/subnets/masters", "master"]);
  assert.equal(faults.length, 4_900);
});
