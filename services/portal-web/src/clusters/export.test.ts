import assert from "node:assert/strict";
import { test } from "node:test";
import { exampleClusters } from "../testing/example-clusters.ts";
import { clustersCsv, clustersJson } from "./export.ts";

const nowMs = Date.parse("2026-11-27T01:00:00Z");

test("JSON has each cluster with its health", () => {
  const exported = JSON.parse(clustersJson(exampleClusters, nowMs));
  assert.equal(exported.length, exampleClusters.length);
  assert.deepEqual(Object.keys(exported[0]).slice(0, 3), ["name", "subscription", "resourceGroup"]);
});

test("CSV has a line for each cluster, and no field is a formula or breaks its line", () => {
  const [first] = exampleClusters;
  assert.ok(first);
  const hostile = { ...first, name: '=cmd|"/c calc"!A1', resourceGroup: "a,b\nc" };
  const csv = clustersCsv([first, hostile], nowMs);
  assert.equal(csv.split("\r\n").length, 4);
  assert.match(csv, /^name,subscription,resourceGroup,/);
  assert.ok(csv.includes(`"'=cmd|""/c calc""!A1"`));
  assert.ok(csv.includes('"a,b\nc"'));
});
