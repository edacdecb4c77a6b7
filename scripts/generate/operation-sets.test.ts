import assert from "node:assert/strict";
import { test } from "node:test";
import { operationSetOf, operationSets, ownOperations, type SharedOperation } from "./operation-sets.ts";

const operations = (...sources: string[]): SharedOperation[] =>
  sources.map((source) => ({ source, models: [] }));

test("a set of operations extends its largest subset in any version", () => {
  const sets = operationSets(
    new Map([
      ["2030-01-01", new Map([["Bolts", operations("get", "list", "former")]])],
      ["2031-01-01", new Map([["Bolts", operations("get", "list")]])],
      [
        "2032-01-01",
        new Map([
          ["Bolts", operations("get", "list", "put")],
          ["Nuts", operations("get")],
        ]),
      ],
      ["2033-01-01", new Map([["Bolts", operations("put", "list", "get")]])],
    ]),
  );
  const since = (group: string, ...names: string[]) => operationSetOf(sets, group, operations(...names));
  assert.deepEqual(
    sets.map((set) => [set.group, set.since, set.base?.since]),
    [
      ["Nuts", "2032-01-01", undefined],
      ["Bolts", "2031-01-01", undefined],
      ["Bolts", "2030-01-01", "2031-01-01"],
      ["Bolts", "2032-01-01", "2031-01-01"],
    ],
  );
  const newest = since("Bolts", "list", "put", "get");
  assert.deepEqual(newest && ownOperations(newest), operations("put"));
  assert.equal(since("Nuts", "put"), undefined);
});
