import assert from "node:assert/strict";
import { test } from "node:test";
import type { Schema } from "./document.ts";
import { reachable } from "./reachable.ts";

const to = (name: string): Schema => ({ $ref: `#/definitions/${name}` });
const definitions = {
  Tree: { properties: { left: to("Tree"), leaf: to("Leaf") } },
  Leaf: { allOf: [to("Base")] },
  Base: { type: "object" },
  Other: to("Tree"),
};

test("definitions are reached through others, in loops as well", () => {
  assert.deepEqual([...reachable({ schema: to("Tree") }, definitions)], ["Tree", "Leaf", "Base"]);
  assert.deepEqual([...reachable(definitions.Leaf, definitions)], ["Base"]);
  assert.deepEqual([...reachable(undefined, definitions)], []);
});
