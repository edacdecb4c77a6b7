import assert from "node:assert/strict";
import { test } from "node:test";
import { at } from "../runtime/fields.ts";
import { crdOf } from "./definition.ts";
import { openShiftCrds } from "./facts.ts";

const crds = openShiftCrds.map(crdOf);

test("every kind is named once, after its plural and group", () => {
  const names = crds.map(({ metadata }) => metadata.name);
  assert.equal(new Set(names).size, names.length);
  assert.ok(names.includes("clusteroperators.config.openshift.io"));
});

test("within a group no short name or kind stands for two resources", () => {
  const taken = openShiftCrds.flatMap(({ group, kind, shortNames }) =>
    [kind, ...shortNames].map((name) => `${group}/${name}`),
  );
  assert.equal(new Set(taken).size, taken.length);
});

test("a kind that scales says where its replicas are", () => {
  const machineSet = crds.find(({ metadata }) => metadata.name === "machinesets.machine.openshift.io");
  assert.deepEqual(at(machineSet, "spec", "versions", 0, "subresources"), {
    status: {},
    scale: {
      labelSelectorPath: ".status.labelSelector",
      specReplicasPath: ".spec.replicas",
      statusReplicasPath: ".status.replicas",
    },
  });
});

test("Network of config.openshift.io has no status of its own to write", () => {
  const network = crds.find(({ metadata }) => metadata.name === "networks.config.openshift.io");
  assert.equal(at(network, "spec", "versions", 0, "subresources"), undefined);
});
