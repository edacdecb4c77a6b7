import assert from "node:assert/strict";
import { test } from "node:test";
import { exampleClusters } from "../testing/example-clusters.ts";
import { chosenClusters, countValues } from "./facets.ts";

const nowMs = Date.parse("2026-11-27T01:00:00Z");

test("values of one facet are alternatives, and facets are conditions", () => {
  const names = (choice: Parameters<typeof chosenClusters>[1]) =>
    chosenClusters(exampleClusters, choice, nowMs).map(({ name }) => name);
  assert.equal(names({}).length, exampleClusters.length);
  assert.deepEqual(names({ state: ["Updating", "Failed - Creating"] }), ["payments-staging", "analytics"]);
  assert.deepEqual(names({ state: ["Updating"], version: ["4.19.9"] }), []);
  assert.deepEqual(names({ version: ["none"] }), ["analytics"]);
});

test("counts include only clusters that the other facets select", () => {
  const choice = { state: ["Succeeded"], version: ["4.19.9"] };
  assert.deepEqual(countValues(exampleClusters, "version", choice, nowMs), [
    { value: "4.18.22", count: 1 },
    { value: "4.19.9", count: 1 },
  ]);
  const sum = countValues(exampleClusters, "state", {}, nowMs).reduce((total, { count }) => total + count, 0);
  assert.equal(sum, exampleClusters.length);
});

test("versions are in the order of their numbers", () => {
  assert.deepEqual(
    countValues(exampleClusters, "version", {}, nowMs).map(({ value }) => value),
    ["4.17.30", "4.18.22", "4.19.9", "4.19.10", "none"],
  );
});

test("a selected value without clusters can be deselected", () => {
  assert.deepEqual(countValues([], "region", { region: ["mars"] }, nowMs), [{ value: "mars", count: 0 }]);
});
