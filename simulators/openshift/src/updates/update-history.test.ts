import assert from "node:assert/strict";
import { test } from "node:test";
import { installedAt, wasEverComplete } from "./update-history.ts";

const partial = { state: "Partial", version: "4.19.3", completionTime: null };
const completed = (completionTime: string) => ({ state: "Completed", version: "4.19.1", completionTime });
const first = "2026-01-01T00:00:00Z";

const rows: readonly {
  readonly name: string;
  readonly history: readonly unknown[];
  readonly at: string | undefined;
}[] = [
  { name: "without a history", history: [], at: undefined },
  { name: "with an incomplete first version", history: [partial], at: undefined },
  { name: "with a complete first version", history: [completed(first)], at: first },
  { name: "that is updated", history: [partial, completed(first)], at: first },
  { name: "that was updated", history: [completed("2026-02-01T00:00:00Z"), completed(first)], at: first },
];

for (const { name, history, at } of rows)
  test(`a cluster ${name} is ${at === undefined ? "not installed" : "installed since its first version"}`, () => {
    const clusterVersion = {
      apiVersion: "config.openshift.io/v1",
      kind: "ClusterVersion",
      metadata: { name: "version" },
      status: { history },
    };
    assert.equal(installedAt(clusterVersion)?.getTime(), at === undefined ? undefined : Date.parse(at));
    assert.equal(wasEverComplete(clusterVersion), at !== undefined);
  });
