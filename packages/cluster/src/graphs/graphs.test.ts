import assert from "node:assert/strict";
import { test } from "node:test";
import { graphProblems } from "../engine/graph.ts";
import { bootstrapGraph, removeBootstrapGraph } from "./create.ts";
import { deleteGraph } from "./delete.ts";
import { updateGraph } from "./update.ts";

for (const [operation, graphs] of Object.entries({
  create: [bootstrapGraph, removeBootstrapGraph],
  update: [updateGraph],
  delete: [deleteGraph],
})) {
  test(`the graph of ${operation} has unique names, needs that exist, and no cycle`, () => {
    assert.deepEqual(graphProblems(graphs), []);
  });
}
