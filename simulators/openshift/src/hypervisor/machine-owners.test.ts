import assert from "node:assert/strict";
import { test } from "node:test";
import { MachineOwners } from "./machine-owners.ts";

const infraId = "demo-x7k2p";
const place = {
  subscriptionId: "S",
  resourceGroup: "aro-demo",
  networkResourceGroup: "demo-rg",
  virtualNetwork: "demo-vnet",
};

function machine(name: string, { group = "aro-demo", network = "demo-vnet" } = {}) {
  const networks = "/subscriptions/s/resourceGroups/demo-rg/providers/Microsoft.Network/virtualNetworks";
  return {
    name,
    id: `/subscriptions/s/resourceGroups/${group}/providers/Microsoft.Compute/virtualMachines/${name}`,
    subnetIds: network === "" ? [] : [`${networks}/${network}/subnets/any`],
  };
}

for (const name of ["bootstrap", "master-0", "master-abcde-1"])
  test(`a machine named {infraId}-${name} identifies its cluster without a tag`, () => {
    assert.equal(new MachineOwners().find(machine(`${infraId}-${name}`)), infraId);
  });

const rows: readonly {
  readonly name: string;
  readonly machine: ReturnType<typeof machine>;
  readonly owner: string | undefined;
}[] = [
  { name: "a worker", machine: machine(`${infraId}-worker-eastus1-abcde`), owner: infraId },
  { name: "a machine with its own name", machine: machine("infra-eastus-abcde"), owner: infraId },
  {
    name: "a group in different letter case",
    machine: machine("infra-abcde", { group: "ARO-Demo" }),
    owner: infraId,
  },
  { name: "a different group", machine: machine("infra-abcde", { group: "other" }), owner: undefined },
  { name: "a different network", machine: machine("infra-abcde", { network: "other" }), owner: undefined },
  { name: "no network", machine: machine(`${infraId}-bootstrap`, { network: "" }), owner: undefined },
];

for (const { name, machine, owner } of rows)
  test(`a machine next to a stored cluster, ${name}: ${owner ?? "no cluster"}`, () => {
    const owners = new MachineOwners();
    owners.add(infraId, place);
    assert.equal(owners.find(machine), owner);
  });

test("a cluster with -master- in its name owns its workers", () => {
  const owners = new MachineOwners();
  owners.find(machine("a-master-x7k2p-master-0"));
  assert.equal(owners.find(machine("a-master-x7k2p-worker-eastus1-abcde")), "a-master-x7k2p");
});

test("two clusters of a group are distinguished by name, and a machine of neither has no cluster", () => {
  const owners = new MachineOwners();
  owners.add(infraId, place);
  owners.add("other-aaaaa", place);
  assert.equal(owners.find(machine("other-aaaaa-worker-1")), "other-aaaaa");
  assert.equal(owners.find(machine("infra-abcde")), undefined);
});

test("a forgotten cluster owns no further machines", () => {
  const owners = new MachineOwners();
  owners.add(infraId, place);
  owners.forget(infraId);
  assert.equal(owners.find(machine("infra-abcde")), undefined);
});
