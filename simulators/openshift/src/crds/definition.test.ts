import assert from "node:assert/strict";
import { test } from "node:test";
import { valueAt } from "@keelson/base";
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
      const names = valueAt(spec, "names");
      const shortNames = valueAt(names, "shortNames");
      return [
        valueAt(names, "kind"),
        valueAt(names, "plural"),
        ...(Array.isArray(shortNames) ? shortNames : []),
      ].map((name) => `${valueAt(spec, "group")}/${name}`);
    });
    assert.equal(new Set(taken).size, taken.length);
  });
}

test("a scalable kind defines its replica paths, with and without the release's schema", () => {
  const scaleOf = (name: string) =>
    valueAt(
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
