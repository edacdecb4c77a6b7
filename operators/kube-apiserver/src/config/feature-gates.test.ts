import assert from "node:assert/strict";
import { test } from "node:test";
import { featureGateArguments, featureGatesOf } from "./feature-gates.ts";

const gates = {
  status: {
    featureGates: [
      { version: "4.19.0", enabled: [{ name: "B" }, { name: "A" }, {}], disabled: [{ name: "C" }] },
      { version: "4.18.0" },
    ],
  },
};

test("the gates of a version, those that are on first, sorted", () => {
  assert.deepEqual(featureGateArguments(featureGatesOf(gates, "4.19.0")), ["A=true", "B=true", "C=false"]);
});

test("a missing version is named", () => {
  assert.throws(() => featureGatesOf(gates, "4.20.0"), {
    message: 'missing desired version "4.20.0" in featuregates.config.openshift.io/cluster',
  });
});
