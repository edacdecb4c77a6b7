import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type MachineFacts,
  machineAndNodeProblems,
  machineAndVmProblems,
  machineProblems,
  type NodeFacts,
  nodeProblems,
  type VmFacts,
  vmProblems,
} from "./control-plane-inventory.ts";

const size = "Standard_D8s_v3";
const names = ["m-0", "m-1", "m-2"];

/** Returns three healthy objects in three zones. `change` applies to the first object. */
function three<T extends object>(make: (name: string, zone: string) => T, change: Partial<T> = {}): T[] {
  return names.map((name, index) => ({ ...make(name, `${index + 1}`), ...(index === 0 ? change : {}) }));
}
const machines = (change: Partial<MachineFacts> = {}) =>
  three<MachineFacts>(
    (name, zone) => ({
      name,
      phase: "Running",
      labelZone: zone,
      specZone: zone,
      labelSize: size,
      specSize: size,
    }),
    change,
  );
const vms = (change: Partial<VmFacts> = {}) =>
  three<VmFacts>(
    (name, zone) => ({ name, statuses: ["ProvisioningState/succeeded", "PowerState/running"], size, zone }),
    change,
  );
const nodes = (change: Partial<NodeFacts> = {}) =>
  three<NodeFacts>((name) => ({ name, unschedulable: false, ready: true, size, betaSize: size }), change);

test("masters that agree have no problems", () => {
  assert.deepEqual(machineProblems(machines()), []);
  assert.deepEqual(vmProblems(vms()), []);
  assert.deepEqual(nodeProblems(nodes()), []);
  assert.deepEqual(machineAndVmProblems(machines(), vms()), []);
  assert.deepEqual(machineAndNodeProblems(machines(), nodes()), []);
  const regional = machines().map((each) => ({ ...each, labelZone: "", specZone: "" }));
  assert.deepEqual(machineProblems(regional), []);
});

test("each kind of disagreement is named", () => {
  const rows: readonly (readonly [readonly string[], RegExp])[] = [
    [machineProblems(machines().slice(1)), /^expected 3 machines, got 2$/],
    [
      machineProblems(machines({ phase: "Failed" })),
      /^machine m-0 status phase is not Running, current phase is Failed$/,
    ],
    [machineProblems(machines({ phase: "" })), /current phase is nil$/],
    [machineProblems(machines({ labelZone: "" })), /label zone regional\/no-zone and spec zone 1\./],
    [
      machineProblems(machines({ labelSize: "" })),
      /label instance-type <missing> and instance type defined in the spec Standard_D8s_v3\./,
    ],
    [
      machineProblems(machines({ labelZone: "2", specZone: "2" })),
      /^items have unsupported mixed zone topology: zones \["2" "3"\]$/,
    ],
    [
      machineProblems(machines().map((each) => ({ ...each, labelZone: "1", specZone: "1" }))),
      /^single-zone control plane topology .* zones \["1"\]$/,
    ],
    [
      vmProblems(vms({ statuses: ["PowerState/running"] })),
      /^expected 2 statuses for VM m-0, but found 1: PowerState\/running$/,
    ],
    [
      vmProblems(vms({ statuses: ["ProvisioningState/succeeded", "PowerState/stopped"] })),
      /^found unexpected statuses for VM m-0: PowerState\/stopped$/,
    ],
    [vmProblems(vms({ zone: "" })), /mixed zone topology: zones \["regional\/no-zone" "2" "3"\]$/],
    [machineAndVmProblems(machines(), vms().slice(1)), /^machine m-0 not found in Azure resources$/],
    [
      machineAndVmProblems(machines(), vms({ zone: "9" })),
      /zone 1 in its spec, however Azure VM is running in zone 9$/,
    ],
    [machineAndVmProblems(machines(), vms({ size: "x" })), /however Azure VM is running a x VM$/],
    [nodeProblems(nodes({ unschedulable: true })), /^node m-0 is unschedulable$/],
    [nodeProblems(nodes({ ready: false })), /^node m-0 is not ready$/],
    [nodeProblems(nodes({ betaSize: "x" })), /mismatch between labels\. .*: Standard_D8s_v3 beta.*: x$/],
    [nodeProblems(nodes().slice(1)), /^expected 3 control plane nodes, found 2: \[m-1, m-2\]$/],
    [machineAndNodeProblems(machines(), nodes().slice(1)), /^machine m-0 not found in cluster nodes$/],
    [machineAndNodeProblems(machines(), nodes({ size: "x" })), /however node has instance-type x$/],
  ];
  for (const [problems, expected] of rows) {
    assert.equal(problems.length, 1, `${problems}`);
    assert.match(problems[0] ?? "", expected);
  }
});

test("all problems are reported together", () => {
  assert.equal(
    nodeProblems(nodes({ unschedulable: true, ready: false, betaSize: "x" }).slice(0, 2)).length,
    4,
  );
});
