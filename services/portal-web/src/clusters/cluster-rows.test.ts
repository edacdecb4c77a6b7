import assert from "node:assert/strict";
import { test } from "node:test";
import { exampleClusters } from "../testing/example-clusters.ts";
import { countOf, filterClusters, stateOf } from "./cluster-rows.ts";

test("a filter that no resource ID has leaves 0 items", () => {
  assert.equal(countOf(filterClusters(exampleClusters, "no such cluster")), "Showing 0 items");
});

test("an empty filter selects all clusters, words in any letter case those that contain all of them", () => {
  assert.equal(filterClusters(exampleClusters, "  ").length, exampleClusters.length);
  const names = (filter: string) => filterClusters(exampleClusters, filter).map(({ name }) => name);
  assert.deepEqual(names("DEMO"), ["demo"]);
  assert.deepEqual(names("payments openshiftclusters"), names("PAYMENTS"));
  assert.ok(names("payments").length > 1);
});

test("one is an item, more are items", () => assert.equal(countOf(["one"]), "Showing 1 item"));

test("a failed cluster's state names the failed operation", () => {
  assert.equal(
    stateOf({ provisioningState: "Failed", failedProvisioningState: "Creating" }),
    "Failed - Creating",
  );
  assert.equal(stateOf({ provisioningState: "Failed", failedProvisioningState: "" }), "Failed");
  assert.equal(stateOf({ provisioningState: "Succeeded", failedProvisioningState: "Updating" }), "Succeeded");
});
