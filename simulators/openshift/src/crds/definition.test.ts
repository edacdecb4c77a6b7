import assert from "node:assert/strict";
import { test } from "node:test";
import { at } from "../base/fields.ts";
import { featureSets } from "../release/feature-set.ts";
import { openShiftCrds } from "./openshift-crds.ts";

for (const featureSet of featureSets) {
  const crds = openShiftCrds(featureSet);

  test(`with the feature set ${featureSet}, every kind is defined once`, () => {
    const names = crds.map(({ metadata }) => metadata.name);
    assert.equal(new Set(names).size, names.length);
    assert.ok(names.includes("clusteroperators.config.openshift.io"));
  });

  test(`with the feature set ${featureSet}, a name is unique in its group`, () => {
    const taken = crds.flatMap(({ spec }) => {
      const names = at(spec, "names");
      const shortNames = at(names, "shortNames");
      return [at(names, "kind"), at(names, "plural"), ...(Array.isArray(shortNames) ? shortNames : [])].map(
        (name) => `${at(spec, "group")}/${name}`,
      );
    });
    assert.equal(new Set(taken).size, taken.length);
  });
}

test("a scalable kind defines its replica paths, with and without the release's schema", () => {
  const scaleOf = (name: string) =>
    at(
      openShiftCrds("Default").find(({ metadata }) => metadata.name === name),
      "spec",
      "versions",
      0,
      "subresources",
      "scale",
    );
  const replicas = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
  assert.deepEqual(scaleOf("machinesets.machine.openshift.io"), {
    labelSelectorPath: ".status.labelSelector",
    ...replicas,
  });
  assert.deepEqual(scaleOf("prometheuses.monitoring.coreos.com"), replicas);
});
