import assert from "node:assert/strict";
import { test } from "node:test";
import { exampleClusters } from "../testing/example-clusters.ts";
import { findTargets } from "./targets.ts";

const titles = (query: string, path = "/") =>
  findTargets(query, exampleClusters, path).map(({ title }) => title);
const demo = exampleClusters[0]?.resourceId.toLowerCase() ?? "";

test("an empty query offers the pages of the fleet and then clusters", () => {
  assert.deepEqual(titles("").slice(0, 4), ["Clusters", "Alerts", "My sessions", "analytics"]);
});

test("clusters are found by words of their resource ID, those that begin with the word first", () => {
  assert.deepEqual(titles("payments stag"), ["payments-staging"]);
  assert.equal(titles("e")[0], "Clusters");
  assert.ok(titles("ed").includes("edge-7"));
});

test("the last word selects a page of the clusters that match the other words", () => {
  assert.deepEqual(findTargets("DEMO nod", exampleClusters, "/"), [
    { title: "demo · Nodes", detail: "page of a cluster in keelson", path: `${demo}/nodes` },
  ]);
});

test("on a page of a cluster its other pages are first", () => {
  assert.equal(titles("timel", `${demo}/nodes`)[0], "demo · Timeline");
  assert.deepEqual(titles("timel"), []);
});

test("a long list of clusters produces a short list of targets", () => {
  const [first] = exampleClusters;
  assert.ok(first);
  const many = Array.from({ length: 2_000 }, (_, at) => ({
    ...first,
    name: `c-${at}`,
    resourceId: first.resourceId.replace(/demo$/, `c-${at}`),
  }));
  assert.ok(findTargets("c- s", many, "/").length <= 12);
});
